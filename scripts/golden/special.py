# Computes the outcomes in test/golden/contrib-special.jsonl again, for the arguments there: a call of a function of torch.special
# a line, for contrib/special/special.test.ts.
#
#   python scripts/golden/special.py        (torch 2.13.0)
import json
from pathlib import Path

from run import build, dump, resolve

path = Path(__file__).parents[2] / "test/golden/contrib-special.jsonl"
lines = []
for line in path.read_text().splitlines():
    case = json.loads(line)
    try:
        result = resolve(case["torch"])(*(build(value, [], False) for value in case["arguments"].values()))
        case["outcome"] = {"results": [dump(result)]}
    except (RuntimeError, TypeError) as error:
        case["outcome"] = {"raises": str(error).splitlines()[0]}
    lines.append(json.dumps(case, separators=(",", ":"), ensure_ascii=False))
path.write_text("\n".join(lines) + "\n")
