// The icons: strokes on a 16 × 16 grid.
const paths = {
  overview: 'M2.5 2.5h4.5v5H2.5zM9 2.5h4.5v3H9zM9 7.5h4.5v6H9zM2.5 9.5H7v4H2.5z',
  jobs: 'M3 4h10M3 8h10M3 12h6',
  compare: 'M2.5 13.5V2.5M2.5 13.5h11M4.5 11c2-6 3.500-1 5-4s2-4 4-4.500M4.500 12c3-1 5-2 9-3',
  tuning: 'M3 2.500v11M8 2.500v11M13 2.500v11M3 5l5 5 5-6M3 11l5-6 5 7',
  endpoints: 'M8 10.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM2.500 8h3M10.500 8h3',
  clusters: 'M2.500 2.500h4v4h-4zM9.500 2.500h4v4h-4zM2.500 9.500h4v4h-4zM9.500 9.500h4v4h-4z',
  plan: 'M2.500 13.500 6 9l3 2.500 4.500-7M10.500 4.500h3v3',
  capacity: 'M2.500 3.500h11v10h-11zM2.500 6.500h11M5.500 2v3M10.500 2v3',
  hardware:
    'M4.500 4.500h7v7h-7zM6.500 1.500v3M9.500 1.500v3M6.500 11.500v3M9.500 11.500v3M1.500 6.500h3M1.500 9.500h3M11.500 6.500h3M11.500 9.500h3',
  keys: 'M6 9.500a3 3 0 1 1 0-6 3 3 0 0 1 0 6zM8.200 8.700l4.800 4.800M11 11.500l1.500-1.500',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.300 10.300l3.200 3.200',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  moon: 'M13 9.500A5.500 5.500 0 0 1 6.500 3a5.500 5.500 0 1 0 6.500 6.500z',
  copy: 'M5.500 5.500h8v8h-8zM3.500 10.500h-1v-8h8v1',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  close: 'M4 4l8 8M12 4l-8 8',
  stop: 'M4 4h8v8H4z',
  again: 'M13 3.500v3.500H9.500M12.800 7A5 5 0 1 0 13 9.500',
  download: 'M8 2.500v8M4.500 7.500 8 11l3.500-3.500M2.500 13.500h11',
  keyboard: 'M1.500 4h13v8h-13zM4 6.500h.500M7 6.500h.500M10 6.500h.500M4.500 9.500h7',
  out: 'M6.500 2.500h-4v11h4M6 8h7.500M11 5.500 13.500 8 11 10.500',
  columns: 'M2.500 3h11v10h-11zM6.200 3v10M9.800 3v10',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
  plus: 'M8 3v10M3 8h10',
  bolt: 'M9 1.500 3.500 9H8l-1 5.500L12.500 7H8z',
} as const;
export type IconName = keyof typeof paths;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
);
