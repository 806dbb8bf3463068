// The options of curves: over steps or time, on a linear or a logarithmic scale.
import { Segments } from './basics.tsx';

export interface CurveView<X extends string> {
  readonly x: X;
  readonly isLog: boolean;
}

export function CurveChoices<X extends string>({
  time,
  view,
  onChange,
}: {
  /** The kind of time: wall-clock, or since the start. */
  readonly time: X;
  readonly view: CurveView<'step' | X>;
  readonly onChange: (view: CurveView<'step' | X>) => void;
}) {
  return (
    <>
      <Segments<'step' | X>
        label="Horizontal axis"
        choices={[
          { value: 'step', text: 'Step' },
          { value: time, text: 'Time' },
        ]}
        value={view.x}
        onChange={x => onChange({ ...view, x })}
      />
      <Segments
        label="Vertical axis"
        choices={[
          { value: 'linear', text: 'Linear' },
          { value: 'log', text: 'Logarithmic' },
        ]}
        value={view.isLog ? 'log' : 'linear'}
        onChange={choice => onChange({ ...view, isLog: choice === 'log' })}
      />
    </>
  );
}
