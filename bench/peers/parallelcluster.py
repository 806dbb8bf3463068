"""What ParallelCluster's own schema says of configuration files: reads JSON lines, each a configuration; prints for each
whether it is accepted, or why not. PYTHONPATH has to hold aws-parallelcluster/cli/src; see scripts/write-cluster-schema.py.

With --render FOLDER…: prints the configurations of the repository's own tests, templates filled in, as JSON lines."""

import json
import logging
import os
import re
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")
os.environ.setdefault("AWS_ACCESS_KEY_ID", "none")
os.environ.setdefault("AWS_SECRET_ACCESS_KEY", "none")


def render(folders):
    import glob

    import jinja2
    import yaml

    known = {
        "os": "alinux2",
        "region": "us-east-1",
        "scheduler": "slurm",
        "instance": "c5.xlarge",
        "key_name": "key",
    }

    class Placeholder(jinja2.Undefined):
        def __str__(self):
            name = self._undefined_name or ""
            for word, value in (
                ("subnet", "subnet-12345678"),
                ("security_group", "sg-12345678"),
                ("ami", "ami-12345678"),
                ("count", "1"),
                ("size", "10"),
                ("instance", "c5.xlarge"),
            ):
                if word in name:
                    return value
            return "value"

        __getattr__ = jinja2.Undefined.__getattr__

        def __iter__(self):
            return iter(())

        def __bool__(self):
            return False

    environment = jinja2.Environment(undefined=Placeholder)
    for folder in folders:
        for path in sorted(glob.glob(f"{folder}/**/*.yaml", recursive=True)):
            try:
                value = yaml.safe_load(environment.from_string(open(path).read()).render(**known))
                if isinstance(value, dict) and "Scheduling" in value:
                    print(json.dumps(value, default=str))
            except Exception:  # templates that need more than names
                continue


def judge():
    from pcluster.schemas.cluster_schema import ClusterSchema

    for line in sys.stdin:
        try:
            ClusterSchema(cluster_name="demo").load(json.loads(line))
            print(json.dumps({"accepted": True}))
        except Exception as error:
            print(json.dumps({"accepted": False, "why": str(getattr(error, "messages", error))[:300]}))


if sys.argv[1:2] == ["--render"]:
    render(sys.argv[2:])
else:
    judge()
