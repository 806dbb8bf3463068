# Writes test/golden/parquet.tar, small files of every compression, for src/data/parquet.test.ts.
#
#   python scripts/golden/parquet.py        (pyarrow 25)
import pyarrow as pa
import pyarrow.parquet as pq

from family import open_family

folder = open_family("parquet")
table = pa.table({
    "id": pa.array(range(10), pa.int64()),
    "label": pa.array([i % 3 for i in range(10)], pa.int32()),
    "score": pa.array([i / 4 for i in range(10)], pa.float32()),
    "text": pa.array([f"text {i} é" if i != 5 else None for i in range(10)]),
    "tokens": pa.array([list(range(i % 4)) for i in range(10)], pa.list_(pa.int32())),
    "flag": pa.array([i % 2 == 0 for i in range(10)]),
})
for compression in ["none", "snappy", "gzip", "brotli", "zstd", "lz4"]:
    pq.write_table(table, folder / f"{compression}.parquet", compression=compression, row_group_size=4)

# Types of Hugging Face's data sets: bytes within a struct, and nested lists.
nested = pa.table({
    "image": pa.array([{"bytes": bytes([255, i, 0]), "path": f"{i}.jpg"} for i in range(5)]),
    "spans": pa.array([[[i], [], [i, i + 1]] if i != 2 else None for i in range(5)], pa.list_(pa.list_(pa.int32()))),
    "counts": pa.array([[("a", i)] for i in range(5)], pa.map_(pa.string(), pa.int32())),
    "parts": pa.array([[{"name": "x", "size": i}] * (i % 3) for i in range(5)]),
})
pq.write_table(nested, folder / "nested.parquet", compression="lz4", row_group_size=2)
