# Writes a BERT classifier as ONNX for peers/onnx_bert.js: python export_bert_onnx.py SETTINGS FILE (bench/inference.ts).
import json
import sys

import torch
import transformers

settings, file = json.loads(sys.argv[1]), sys.argv[2]
torch.manual_seed(0)
# Eager attention: the pattern that onnxruntime's fusions recognize.
config = transformers.BertConfig(**settings["config"], attn_implementation="eager")
model = transformers.BertForSequenceClassification(config).eval()


class Logits(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = model

    def forward(self, ids, mask):
        return self.model(input_ids=ids, attention_mask=mask).logits


ids = torch.ones(settings["batch"], settings["sequence"], dtype=torch.int64)
torch.onnx.export(
    Logits(),
    (ids, torch.ones_like(ids)),
    file,
    input_names=["ids", "mask"],
    output_names=["logits"],
    dynamo=True,
    external_data=False,
    verbose=False,
)
