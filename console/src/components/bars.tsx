// A few values as bars, one per day; the last one is today.
export function Bars({
  values,
  format,
  label,
}: {
  readonly values: readonly number[];
  readonly format: (value: number) => string;
  readonly label: string;
}) {
  const most = Math.max(...values, 0);
  const [width, height, gap] = [300, 84, 2];
  const step = width / values.length;
  const day = (i: number): string => {
    const date = new Date();
    date.setDate(date.getDate() - (values.length - 1 - i));
    return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  };
  const top = values.indexOf(most);
  return (
    <figure>
      <svg viewBox={`0 0 ${width} ${height}`} width="100%" role="img" aria-label={label}>
        {values.map((value, i) => {
          const size = most === 0 ? 0 : Math.max(value > 0 ? 2 : 0, (value / most) * (height - 4));
          return (
            <g key={i}>
              <title>{`${day(i)}: ${format(value)}`}</title>
              <rect x={i * step} y={0} width={step} height={height} fill="transparent" />
              <rect
                x={i * step + gap / 2}
                y={height - Math.max(size, 1)}
                width={step - gap}
                height={Math.max(size, 1)}
                rx={1.5}
                fill={size === 0 ? 'var(--line)' : i === values.length - 1 ? 'var(--accent)' : 'var(--c1)'}
              />
            </g>
          );
        })}
      </svg>
      <figcaption class="row small quiet tabular" style={{ justifyContent: 'space-between', marginTop: '8px' }}>
        <span>{day(0)}</span>
        <span>{most === 0 ? 'no costs' : `maximum: ${format(most)} on ${day(top)}`}</span>
        <span>today</span>
      </figcaption>
    </figure>
  );
}
