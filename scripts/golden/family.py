"""The golden files of a family are one archive, test/golden/FAMILY.tar (read by test/golden.testing.ts).

    python scripts/golden/family.py list FAMILY
    python scripts/golden/family.py unpack FAMILY FOLDER
    python scripts/golden/family.py pack FAMILY FOLDER        # writes the archive again

Archives are reproducible: entries are sorted and have no times or owners.
"""
import atexit
import pathlib
import sys
import tarfile
import tempfile

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "test" / "golden"


def unpack(family, folder):
    with tarfile.open(GOLDEN / f"{family}.tar") as archive:
        archive.extractall(folder, filter="data")


def pack(family, folder):
    files = sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file())
    with tarfile.open(GOLDEN / f"{family}.tar", "w", format=tarfile.USTAR_FORMAT) as archive:
        for path in files:
            entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
            entry.size = path.stat().st_size
            with open(path, "rb") as content:
                archive.addfile(entry, content)


def open_family(family, writes=True):
    """A temporary folder with the files of a family. When the script ends, the archive is written from it."""
    holder = tempfile.TemporaryDirectory(prefix="golden-")
    atexit.register(holder.cleanup)
    folder = pathlib.Path(holder.name) / family
    folder.mkdir()
    if (GOLDEN / f"{family}.tar").exists():
        unpack(family, folder)
    if writes:
        atexit.register(pack, family, folder)
    return folder


if __name__ == "__main__":
    action, family, *rest = sys.argv[1:]
    if action == "list":
        print(*tarfile.open(GOLDEN / f"{family}.tar").getnames(), sep="\n")
    else:
        {"unpack": unpack, "pack": pack}[action](family, *rest)
