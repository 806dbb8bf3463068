# Writes test/golden/tensorboard/events.json: the events that PyTorch's SummaryWriter writes for the calls of
# src/tensorboard/golden.test.ts, as base64 of each record's data. Needs torch and tensorboard.
import base64, glob, json, struct, sys, tempfile
import numpy as np
from torch.utils.tensorboard import SummaryWriter

T = 1700000000.5


def records(folder):
    data = open(glob.glob(folder + '/events*')[0], 'rb').read()
    at, found = 0, []
    while at < len(data):
        (length,) = struct.unpack('<Q', data[at : at + 8])
        found.append((data[at : at + 16 + length], data[at + 12 : at + 12 + length]))
        at += 16 + length
    return found[1:]  # without the file version


out = {}
with tempfile.TemporaryDirectory() as d:
    w = SummaryWriter(d)
    w.add_scalar('loss/train', 0.25, 7, walltime=T)
    w.add_scalar('zero', 0, walltime=T)
    w.add_scalar('nan', float('nan'), 3, walltime=T)
    w.add_histogram('whole', np.array([-3, -2, -1, 0, 0, 1, 2, 1000]), 1, walltime=T)
    w.add_histogram('equal', np.array([0.5, 1.5, 2.5, 4.0]), 2, bins=4, walltime=T)
    w.add_histogram('edges', np.array([0.5, 1.5, 2.5, 4.0]), 2, bins=np.array([0, 1, 2, 3, 4.0, 5.0]), max_bins=3, walltime=T)
    w.add_text('note', 'to be, or **nöt** to be', 4, walltime=T)
    w.add_pr_curve('curve', np.array([1, 0, 1, 1, 0]), np.array([0.9, 0.2, 0.5, 0.7, 0.6]), 5, num_thresholds=9, walltime=T)
    w.add_pr_curve('weighted', np.array([1, 0, 1]), np.array([1.0, 0.25, 0.0]), 5, num_thresholds=5, weights=np.array([1, 2, 0.5]), walltime=T)
    w.flush()
    out['events'] = [base64.b64encode(r).decode() for r, _ in records(d)]
with tempfile.TemporaryDirectory() as d:
    w = SummaryWriter(d)
    # One entry each, because the order within a map is undefined.
    w.add_hparams({'layers': 2, 'none': None}, {'accuracy': 0.5}, {'layers': [1, 2, 4]}, run_name='number')
    w.add_hparams({'name': 'adamw'}, {}, run_name='string')
    w.add_custom_scalars({'Loss': {'both': ['Multiline', ['a', 'b']], 'band': ['Margin', ['a', 'b', 'c']]}})
    w.close()
    # Without their times: only the summaries.
    strip = lambda folder: [base64.b64encode(r[9:]).decode() for _, r in records(folder)]
    out['hparams'] = [strip(f'{d}/{kind}') for kind in ['number', 'string']]
    out['layout'] = strip(d)
json.dump(out, open(sys.argv[1], 'w'), indent=1)
