# Token ids and texts of lines on the standard input, by Hugging Face's Python library, for bench/tokenizers.ts. Not part of the product.
import json
import sys

from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained(sys.argv[1])
for line in sys.stdin:
    text = json.loads(line)
    ids = tokenizer(text)["input_ids"]
    print(json.dumps([ids, tokenizer.decode(ids), tokenizer.decode(ids, skip_special_tokens=True)]), flush=False)
