// `trenio plan --serve`: reads the options, and shows which machines answer requests in time.
import { TrenioError } from '../../base/errors.ts';
import { formatTable } from '../../base/table.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import { formatBytes } from '../../base/units.ts';
import { machineOf } from '../../hardware/machine-of.ts';
import {
  planServing,
  type ServingPlan,
  type ServingQuestion,
  type ServingRow,
} from '../../serving/plan/serving-plan.ts';
import { type ServingInterval, weightFormats } from '../../simulator/inference/index.ts';
import type { CliContext } from '../command/command.ts';
import { type PlanInput, servingOptions } from './plan-options.ts';
import { parseChoice, parseQuantity, parseRate, parseSpan } from './quantities.ts';
import { readModel } from './request.ts';

/** Options of both kinds of plans. */
const shared = new Set([
  'model',
  'config',
  'on',
  'tp',
  'profile',
  'lnc',
  'json',
  'node-storage-bandwidth',
  'top',
  'spares',
]);
const usualMachines = 'inf2.48xlarge,trn1.32xlarge,trn2.48xlarge,p4d.24xlarge,p5.48xlarge';

export async function runServingPlan({ options, positionals }: PlanInput, context: CliContext): Promise<number> {
  const other = Object.entries(options).find(
    ([name, value]) =>
      value !== undefined && value !== false && !shared.has(name) && !Object.hasOwn(servingOptions, name),
  );
  if (other !== undefined) throw bad(other[0], String(other[1]), 'no such option with --serve');
  if (positionals[0] !== undefined) throw bad('serve', positionals[0], '--model, not a script');
  const ofModel: string[] = [];
  const model = await readModel(options, context.cwd, ofModel);
  if (model === undefined) throw bad('model', 'nothing', 'a named model with --serve, such as llama3-70b');
  const profile =
    options.profile === undefined ? 'docs' : parseChoice('--profile', options.profile, ['docs', 'launch']);
  const lnc = options.lnc === undefined ? {} : ({ lnc: options.lnc === 1 ? 1 : 2 } as const);
  const whole = (option: string, text: string): number => {
    const value = parseQuantity(option, text);
    if (!Number.isInteger(value) || value > 1e6)
      throw bad(option.slice(2), text, 'a whole number of tokens, at most 1M');
    return value;
  };
  const question: ServingQuestion = {
    model,
    machines: (options.on ?? usualMachines).split(',').map(name => machineOf(name.trim(), { profile, ...lnc })),
    weights: options.weights === undefined ? 'bf16' : parseChoice('--weights', options.weights, weightFormats),
    input: whole('--input', options.input ?? '512'),
    output: whole('--output', options.output ?? '256'),
    rate: options.rate === undefined ? undefined : parseQuantity('--rate', options.rate.replace(/\/s$/, '')),
    limits: {
      firstToken: options.ttft === undefined ? undefined : parseSpan('--ttft', options.ttft),
      token: options.tpot === undefined ? undefined : parseSpan('--tpot', options.tpot),
    },
    tensor: options.tp === undefined ? undefined : whole('--tp', options.tp),
    storageBandwidth: parseRate('--node-storage-bandwidth', options['node-storage-bandwidth'] ?? '2GB/s'),
  };
  await context.endAtOnce();
  using progress = new TaskProgress({ stream: context.stderr, quiet: options.json });
  const plan = planServing(question, (done, total) =>
    progress.update({ what: 'replaying requests', done, total, detail: `${done} of ${total} replicas` }),
  );
  progress.done();
  const assumptions = [...ofModel, ...always];
  const answer = options.json
    ? JSON.stringify(jsonOf(question, plan, assumptions))
    : textOf(question, plan, assumptions);
  context.stdout.write(`${answer}\n`);
  return plan.rows.length > 0 ? 0 : 1;
}

const bad = (option: string, got: string, expected: string): TrenioError =>
  new TrenioError('BAD_ARGUMENT', { command: 'plan', argument: `--${option}`, got, expected });

function textOf(
  question: ServingQuestion,
  { rows, refused, frontier }: ServingPlan,
  assumptions: readonly string[],
): string {
  const { model, input, output, rate, limits, weights } = question;
  const asked = [
    `${model.name}, weights in ${weights}: prompts of ${input} tokens, answers of ${output}`,
    ...(rate === undefined ? [] : [`${rate} requests/s`]),
    ...(limits.firstToken === undefined ? [] : [`first token within ${ms(limits.firstToken)}`]),
    ...(limits.token === undefined ? [] : [`${ms(limits.token)} per token`]),
  ].join(', ');
  const first = rows[0];
  const reasons = new Set(rows.map(({ machine, interval }) => `${machine.name}: ${intervalText(interval)}`));
  return [
    asked,
    '',
    ...(rows.length === 0 ? ['No machine answers in time.'] : [tableOf(rows)]),
    ...ties(rows),
    ...refused.map(({ machine, reason }) => `${machine.name}: ${reason}.`),
    ...(first === undefined
      ? []
      : [
          '',
          `One replica of ${first.machine.name}, tp ${first.tensor}, by its load:`,
          formatTable(
            ['requests/s', 'sequences', 'first token: median, p99', 'token: median, p99', 'tokens/s', '$/M tokens'].map(
              right,
            ),
            frontier.map(point => [
              short(point.rate),
              short(point.latencies.sequences),
              `${ms(point.latencies.firstToken.median)}, ${ms(point.latencies.firstToken.p99)}`,
              `${ms(point.latencies.token.median)}, ${ms(point.latencies.token.p99)}`,
              short(point.latencies.tokensPerSecond),
              money(point.dollarsPerMillion),
            ]),
          ),
          '',
          '8 of 10 latencies are expected to be within these factors of the predicted ones:',
          ...[...reasons].map(reason => `  ${reason}`),
          '',
          'Assumptions:',
          ...assumptions.map(assumption => `  ${assumption}`),
        ]),
  ].join('\n');
}

/** Machines whose cost is within the interval of the cheapest one. */
function ties([first, ...others]: readonly ServingRow[]): readonly string[] {
  if (first?.dollarsPerMillion === undefined) return [];
  const most = first.dollarsPerMillion * first.interval.token[1];
  const names = others.flatMap(({ machine, dollarsPerMillion: own }) =>
    own !== undefined && own < most ? [machine.name] : [],
  );
  return names.length === 0
    ? []
    : ['', `Within the interval of ${first.machine.name}, so not clearly dearer: ${names.join(', ')}.`];
}

const always = [
  'Requests arrive at random (Poisson); all have these lengths. Limits hold for 99 of 100 requests.',
  'The scheduler is that of trenio serve, on a simulated clock: chunked prefill, steps of at most 2,048 tokens and 256 sequences.',
  'No prompts share a beginning, no tokens are drafted. 10 % of the memory is for activations and software.',
  'Replicas get equal shares of the requests. Prices are those of EC2 on demand; the network to clients is not included.',
];

function tableOf(rows: readonly ServingRow[]): string {
  const columns = [
    'machine',
    'tp',
    'machines',
    'req/s',
    'first token: median, p99',
    'token: median, p99',
    '$/h',
    '$/M tokens',
    'load',
  ];
  return formatTable(
    columns.map((header, i) => (i === 0 ? { header } : right(header))),
    rows.map(row => [
      row.machine.name,
      `${row.tensor}`,
      `${row.machines}`,
      short(row.rate),
      `${ms(row.latencies.firstToken.median)}, ${ms(row.latencies.firstToken.p99)}`,
      `${ms(row.latencies.token.median)}, ${ms(row.latencies.token.p99)}`,
      row.perHour === undefined ? 'no price' : `$${((row.perHour * row.machines) / 1e6).toFixed(2)}`,
      money(row.dollarsPerMillion),
      `${short(row.loadSeconds)} s`,
    ]),
  );
}

const right = (header: string) => ({ header, align: 'right' }) as const;
const short = (value: number): string => (value >= 100 ? value.toFixed(0) : `${Number(value.toPrecision(2))}`);
const ms = (seconds: number): string =>
  seconds >= 10
    ? `${seconds.toFixed(0)} s`
    : seconds >= 1
      ? `${seconds.toFixed(1)} s`
      : `${Number((seconds * 1e3).toPrecision(3))} ms`;
const money = (dollars: number | undefined): string => (dollars === undefined ? '–' : `$${dollars.toFixed(2)}`);
const intervalText = ({ firstToken, token, reason }: ServingInterval): string =>
  `first token ${firstToken[0].toFixed(2)} to ${firstToken[1].toFixed(2)}, token ${token[0].toFixed(2)} to ${token[1].toFixed(2)} (${reason})`;

function jsonOf(
  { model, machines: _, ...question }: ServingQuestion,
  { rows, refused, frontier }: ServingPlan,
  assumptions: readonly string[],
): unknown {
  return {
    model: model.name,
    ...question,
    rows: rows.map(({ machine, perHour, ...row }) => ({
      machine: machine.name,
      ...row,
      dollarsPerHour: perHour === undefined ? null : (perHour * row.machines) / 1e6,
      weights: formatBytes(row.weightBytesPerDevice),
    })),
    refused: refused.map(({ machine, reason }) => ({ machine: machine.name, reason })),
    frontier,
    assumptions,
  };
}
