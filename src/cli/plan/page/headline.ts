// The answer at the top of the page: one sentence, the constraints that it meets or breaks, and its figures.
import { differenceUsd, formatUsd } from '../../../base/money.ts';
import { formatBytes, formatLongDuration } from '../../../base/units.ts';
import { formatLayout, formatStep } from '../../../simulator/plan/index.ts';
import { largestBound } from '../../../simulator/plan/training.ts';
import { type Content, html, type Markup } from '../../command/markup.ts';
import { type Answer, keepsBudget, keepsDeadline, limitsOf } from '../answer.ts';
import { costOfEntry, type Entries, type Entry, timeOf } from '../entries.ts';
import { between, intervalSentences, widthText } from '../interval.ts';
import { percent } from '../number-text.ts';
import { boughtSentence, costOfPurchase, wayName, wayOf } from '../purchases.ts';
import type { PlanReport } from '../report.ts';
import type { PlanRequest } from '../request.ts';
import { tieSentences } from '../ties.ts';
import { forAmount, layoutInWords, memoryUse, roundedUsd, throughputOf, wholePercent } from './words.ts';

export function headline(report: PlanReport, entries: Entries, answer: Answer): Markup {
  const { entry, reason } = answer;
  const checks = checksOf(report.request, entry);
  return html`<section class="answer" aria-label="Answer">
${reason !== '' && html`<p class="reason">${reason}</p>`}
<p class="headline">${sentence(report, answer)}</p>
<ul class="checks">${checks.map(({ kept, text }) => html`<li class="${kept ? 'good' : 'bad'}"><span aria-hidden="true">${kept ? '✓' : '✗'}</span> ${text}</li>`)}</ul>
${figuresOf(report, entry)}
${report.warnings.map(warning => html`<p class="beside bad">Warning: ${warning}</p>`)}
${[...tieSentences(answer), ...intervalSentences(entry.interval)].map(text => html`<p class="interval">${text}</p>`)}
${besides(report, entries, entry).map(text => html`<p class="beside">${text}</p>`)}
</section>`;
}

/** `16 × p5.48xlarge with layout … train llama3-8b on 1T tokens in 9 days for $190,818, bought on demand from EC2: within …` */
export function sentence({ request }: PlanReport, { entry, kept }: Answer): Markup {
  const { prediction, seconds, nodes } = entry;
  const what = html`${request.workload.model.name}${request.amount !== undefined && ` ${forAmount(request.amount)}`}`;
  const layout = html`with layout <strong>${formatLayout(prediction.layout)}</strong>`;
  const limits = limitsOf(request);
  const missed = [
    ...(keepsDeadline(request, entry) ? [] : ['the deadline']),
    ...(keepsBudget(request, entry) ? [] : ['the budget']),
  ];
  if (!prediction.memory.fits) {
    const lacking = formatBytes(-prediction.memory.spare);
    return html`Nothing fits in memory: the nearest, <strong>${entry.name}</strong> ${layout}, lacks <strong>${lacking}</strong> on each device to train ${what}.`;
  }
  const isNearest = !kept && missed.length > 0;
  const s = nodes === 1 || isNearest ? 's' : '';
  const { samples, tokens } = throughputOf(prediction);
  const takes =
    seconds === undefined
      ? html`take${s} <strong>${formatStep(prediction.stepSeconds)}</strong> for a training step of ${what}: ${tokens ?? samples}, ${money(entry)}`
      : html`train${s} ${what} in <strong>${formatLongDuration(seconds)}</strong> ${money(entry)}`;
  if (isNearest)
    return html`No row meets ${limits}: the nearest, <strong>${entry.name}</strong> ${layout}, ${takes}, and misses ${missed.join(' and ')}.`;
  return html`<strong>${entry.name}</strong> ${layout} ${takes}${limits !== '' && `: within ${limits}`}.`;
}

function money({ bought, machine }: Entry): Content {
  if (bought.kind === 'own') return 'on your own machine';
  if (bought.kind === 'no public price') return `at an unknown cost: ${machine.name} has no public price`;
  if (bought.kind === 'not sold') return `at an unknown cost: ${machine.name} is not sold this way, ${bought.reason}`;
  const { cost, price, perMillion } = bought;
  const how = boughtSentence(price);
  if (cost !== undefined) return html`for <strong>${roundedUsd(cost)}</strong>, ${how}`;
  return html`<strong>${roundedUsd(perMillion)}</strong> per million samples, ${how}`;
}

interface Check {
  readonly kept: boolean;
  readonly text: string;
}
function checksOf(request: PlanRequest, entry: Entry): readonly Check[] {
  const { deadlineSeconds, budget } = request;
  const { memory } = entry.prediction;
  const { seconds, bought } = entry;
  const checks: Check[] = [
    memory.fits
      ? { kept: true, text: `Fits in memory: ${formatBytes(memory.spare)} of each device to spare` }
      : { kept: false, text: `Does not fit in memory: ${formatBytes(-memory.spare)} too much on each device` },
  ];
  if (deadlineSeconds !== undefined && seconds !== undefined) {
    const kept = keepsDeadline(request, entry);
    const by = formatLongDuration(Math.abs(deadlineSeconds - seconds));
    checks.push({
      kept,
      text: `Deadline ${formatLongDuration(deadlineSeconds)}: ${kept ? `${by} to spare` : `${by} too late`}`,
    });
  }
  if (budget !== undefined) {
    const kept = keepsBudget(request, entry);
    const cost = bought.kind === 'priced' ? bought.cost : undefined;
    const by =
      cost === undefined
        ? 'the cost is unknown'
        : kept
          ? `${roundedUsd(differenceUsd(budget, cost))} left`
          : `${roundedUsd(differenceUsd(cost, budget))} too much`;
    checks.push({ kept, text: `Budget ${roundedUsd(budget)}: ${by}` });
  }
  return checks;
}

function figuresOf({ failures }: PlanReport, entry: Entry): Markup {
  const { prediction, seconds, bought, machine, nodes, fits, interval } = entry;
  const { samples, tokens } = throughputOf(prediction);
  const { bound, share } = largestBound(prediction);
  const failing = failures.find(({ plan }) => plan.prediction === prediction);
  const devices = machine.devices * nodes;
  const figure = (name: string, value: Content, detail: Content): Markup =>
    html`<div><dt>${name}</dt><dd>${value}<small>${detail}</small></dd></div>`;
  const withTime = !fits
    ? 'if it did fit'
    : failing !== undefined
      ? `${formatLongDuration(failing.under.seconds)} with failures`
      : bought.kind === 'priced' && bought.price.kind === 'spot'
        ? 'with start-up and expected interruptions'
        : 'with start-up, without failures';
  return html`<dl class="figures">
${seconds !== undefined && figure('Time to train', formatLongDuration(seconds), [interval.seconds && `${between(interval.seconds, formatLongDuration)}; `, withTime])}
${figure('Cost', ...costFigure(entry))}
${figure('Machines', entry.name, `${devices.toLocaleString('en-US')} ${devices === 1 ? 'device' : 'devices'} (${machine.device.name})`)}
${figure('Step', html`${formatStep(prediction.stepSeconds)} ${widthText(interval.uncertainty)}`, tokens === undefined ? samples : `${samples}, ${tokens}`)}
${figure('MFU', percent(prediction.mfu), `limited by ${bound}, ${wholePercent(share)} of a step`)}
${figure('Memory per device', memoryUse(prediction.memory), fits ? 'of the fullest device' : 'does not fit')}
<div class="broad"><dt>Layout</dt><dd>${formatLayout(prediction.layout)}<small>${layoutInWords(prediction.layout).join('; ')}</small></dd></div>
</dl>`;
}

function costFigure({ bought, interval }: Entry): readonly [string, string] {
  if (bought.kind === 'own') return ['your own', 'nothing to buy'];
  if (bought.kind !== 'priced')
    return ['unknown', bought.kind === 'not sold' ? `not sold: ${bought.reason}` : bought.kind];
  const { cost, price } = bought;
  const per = cost === undefined ? 'per million samples, ' : '';
  const rate = formatUsd(price.perHour, { maxDecimals: 4 });
  const range = interval.cost === undefined ? '' : `${between(interval.cost, roundedUsd)}; `;
  return [
    roundedUsd(costOfPurchase(bought)!),
    `${range}${per}${wayOf(price)} at ${rate} an hour each${price.uncertain ? ', an uncertain price' : ''}`,
  ];
}

/** Likely follow-up questions: the other end of the trade-off, and cheaper purchase options. */
function besides({ purchase }: PlanReport, { all }: Entries, entry: Entry): readonly Content[] {
  const cost = costOfEntry(entry);
  const texts = all.flatMap((other): readonly Content[] => {
    // A different global batch is a different training run.
    if (other.prediction.samplesPerStep !== entry.prediction.samplesPerStep) return [];
    const otherCost = costOfEntry(other);
    const isFaster = other.fastest && timeOf(other) < timeOf(entry);
    const isCheaper = other.cheapest && otherCost !== undefined && (cost === undefined || otherCost < cost);
    if (!isFaster && !isCheaper) return [];
    const how = isFaster && isCheaper ? 'Faster and cheaper' : isFaster ? 'Faster' : 'Cheaper';
    const time =
      other.seconds === undefined ? formatStep(other.prediction.stepSeconds) : formatLongDuration(other.seconds);
    const per = other.seconds === undefined ? ' per million samples' : '';
    return [
      html`${how}: <strong>${other.name}</strong>, ${time}${otherCost !== undefined && `, ${roundedUsd(otherCost)}${per}`}.`,
    ];
  });
  const bought = purchase.find(({ machine, nodes }) => machine === entry.machine.name && nodes === entry.nodes);
  const ways = (bought?.options ?? []).filter(option => option.kind === 'priced');
  const [least] = ways.toSorted((a, b) => a.toPay - b.toPay);
  if (least !== undefined && cost !== undefined && least.toPay < cost)
    texts.push(
      html`Cheapest purchase option: <strong>${wayName(least)}</strong>, ${roundedUsd(least.toPay)} and ${formatLongDuration(least.seconds)}.`,
    );
  return texts;
}
