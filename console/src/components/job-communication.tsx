// The bytes that each rank of a job sends in a training step, by line of its script, like `trenio explain comms`.
import { bytes, value } from '../format.ts';

/** A part of the response of DescribeTrainingJobCost. */
export interface Communication {
  readonly Collectives: readonly {
    readonly Line: string;
    readonly Kind: string;
    readonly Ranks: number;
    readonly Count: number;
    readonly Bytes: number;
  }[];
  readonly Advice: readonly string[];
  readonly ExposedSeconds: number;
}

export const JobCommunication = ({ sent }: { readonly sent: Communication }) => (
  <>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
    <section class="scroll-x" tabIndex={0} aria-label="What each rank sends in a step">
      <table class="table">
        <thead>
          <tr>
            <th>What each rank sends in a step</th>
            <th>Collective</th>
            <th class="num">Ranks</th>
            <th class="num">Count</th>
            <th class="num">Bytes</th>
          </tr>
        </thead>
        <tbody>
          {sent.Collectives.map(row => (
            <tr key={`${row.Line} ${row.Kind} ${row.Ranks}`}>
              <th scope="row">{row.Line}</th>
              <td>{row.Kind}</td>
              <td class="num">{row.Ranks}</td>
              <td class="num">{row.Count}</td>
              <td class="num">{bytes(row.Bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
    <div class="card-body small quiet">
      <p>Rank 0 waits {value(sent.ExposedSeconds * 1000)} ms of a step for collectives and late ranks.</p>
      {sent.Advice.map(text => (
        <p key={text}>{text}</p>
      ))}
    </div>
  </>
);
