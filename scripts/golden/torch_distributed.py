# The directories of torch.distributed.checkpoint in test/golden/torch-files.tar, and what PyTorch itself reads from each, as a file of
# torch.save (torch 2.13.0). Usage: python scripts/golden/torch_distributed.py
import os
import pickle
import shutil
import sys
import tempfile
import warnings

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint.format_utils import dcp_to_torch_save
from torch.distributed.checkpoint.state_dict import get_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import Shard, distribute_tensor

from family import open_family

warnings.filterwarnings('ignore')
RANKS = 2


def network():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(4, 5), torch.nn.Linear(5, 3))


def train(model, optimizer, steps):
    torch.manual_seed(1)
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.randn(6, 4)).square().mean().backward()
        optimizer.step()


def rank_main(rank, path, init):
    dist.init_process_group('gloo', init_method=f'file://{init}', rank=rank, world_size=RANKS)
    mesh = init_device_mesh('cpu', (RANKS,))
    model = network()
    fully_shard(model, mesh=mesh)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    train(model, optimizer, 3)
    weights, state = get_state_dict(model, optimizer)
    columns = distribute_tensor(torch.arange(21, dtype=torch.bfloat16).view(3, 7), mesh, [Shard(1)])
    scheduler = {'last_epoch': 3, 'rates': [0.1, 0.01]}
    app = {'model': weights, 'optim': state, 'extra': {'columns': columns}, 'scheduler': scheduler}
    dcp.save({'app': app}, storage_writer=dcp.FileSystemWriter(path, thread_count=2))
    dist.destroy_process_group()


def write_ranks(path):
    with tempfile.TemporaryDirectory() as folder:
        torch.multiprocessing.spawn(rank_main, (path, os.path.join(folder, 'init')), nprocs=RANKS)


def write_one(path):
    model = network()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    train(model, optimizer, 3)
    state = {'model': model.state_dict(), 'optimizer': optimizer.state_dict(), 'epoch': 3, 'step': torch.tensor(3)}
    dcp.save(state, storage_writer=dcp.FileSystemWriter(path), no_dist=True)


goldens = open_family('torch-files') if __name__ == '__main__' else None
for name, write in {'dcp-one': write_one, 'dcp-ranks': write_ranks}.items() if goldens else []:
    path = os.path.join(goldens, name)
    shutil.rmtree(path, ignore_errors=True)
    write(path)
    # The path of this machine is not part of the golden.
    with open(os.path.join(path, '.metadata'), 'rb') as file:
        metadata = pickle.load(file)
    metadata.storage_meta.checkpoint_id = type(metadata.storage_meta.checkpoint_id)(name)
    with open(os.path.join(path, '.metadata'), 'wb') as file:
        pickle.dump(metadata, file)
    dcp_to_torch_save(path, f'{path}.pt')
