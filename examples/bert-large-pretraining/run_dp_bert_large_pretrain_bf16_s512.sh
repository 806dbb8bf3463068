#!/bin/bash
# Phase 2 on the nodes of a Slurm job; srun starts this script once on each:
#
#   sbatch --exclusive --nodes=16 --wrap "srun ./run_dp_bert_large_pretrain_bf16_s512.sh compile"      all graphs, no training
#   sbatch --exclusive --nodes=16 --wrap "srun ./run_dp_bert_large_pretrain_bf16_s512.sh"
#
# 32,768 sequences per step: each of the 32 cores of a node processes 2 at a time, 512 times. INIT is the model of phase 1: JOB/model. STEPS, NPROC and SHAPE change the size of the job.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
TRENIO=${TRENIO:-trenio}
NPROC=${NPROC:-32}
GRAD_ACCUM_USTEPS=${GRAD_ACCUM_USTEPS:-512}
WORLD_SIZE_JOB=${SLURM_NTASKS:-1}
# Strong scaling: the same global batch on any number of nodes. Without this line, the work of each core stays the same (weak scaling).
[ "${SCALING:-strong}" = weak ] || GRAD_ACCUM_USTEPS=$((GRAD_ACCUM_USTEPS / WORLD_SIZE_JOB))
# The exit code is that of trenio run: 75 after SIGTERM and a checkpoint, so that Slurm requeues the job.
exec "$TRENIO" "${1:-run}" --nproc_per_node="$NPROC" "$here/train.ts" --phase 2 --init "$INIT" \
  --gradient-accumulation "$GRAD_ACCUM_USTEPS" --steps "${STEPS:-1563}" --save-every "${SAVE_EVERY:-200}" \
  --precision "${PRECISION:-bf16}" --optimizer "${OPTIMIZER:-adamw}" --output "${OUTPUT:-bert-large-pretraining-${SLURM_JOB_ID:-0}}" \
  ${SHAPE:---large}
