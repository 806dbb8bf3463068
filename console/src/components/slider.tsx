// A slider with its name and its value as text.

export function Slider({
  name,
  shown,
  value: at,
  max,
  onInput,
}: {
  readonly name: string;
  readonly shown: string;
  readonly value: number;
  readonly max: number;
  readonly onInput: (value: number) => void;
}) {
  return (
    <label class="slider">
      <span>
        {name} <output>{shown}</output>
      </span>
      <input
        type="range"
        min={0}
        max={max}
        value={at}
        aria-valuetext={shown}
        onInput={event => onInput(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}
