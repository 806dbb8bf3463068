// C's strftime in the C locale, for `strftime_now`.
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const dayMs = 86_400_000;

/** Directives with a width are padded; `-` removes the padding, as in glibc. */
export function formatTime(time: Date, format: string): string {
  const [year, month, day, weekday, hour] = [
    time.getFullYear(),
    time.getMonth(),
    time.getDate(),
    time.getDay(),
    time.getHours(),
  ];
  const yearDay = Math.round((Date.UTC(year, month, day) - Date.UTC(year, 0, 1)) / dayMs);
  const monday = (weekday + 6) % 7;
  // The Thursday of this week decides the ISO year.
  const thursday = new Date(Date.UTC(year, month, day + 3 - monday));
  const isoYear = thursday.getUTCFullYear();
  const isoWeek = Math.floor((thursday.getTime() - Date.UTC(isoYear, 0, 1)) / (7 * dayMs)) + 1;
  const hour12 = hour % 12 === 0 ? 12 : hour % 12;
  const numbers: Readonly<Record<string, readonly [number, number, string?]>> = {
    d: [day, 2],
    e: [day, 2, ' '],
    m: [month + 1, 2],
    y: [year % 100, 2],
    C: [Math.floor(year / 100), 2],
    Y: [year, 1],
    H: [hour, 2],
    I: [hour12, 2],
    k: [hour, 2, ' '],
    l: [hour12, 2, ' '],
    M: [time.getMinutes(), 2],
    S: [time.getSeconds(), 2],
    f: [time.getMilliseconds() * 1000, 6],
    j: [yearDay + 1, 3],
    u: [weekday === 0 ? 7 : weekday, 1],
    w: [weekday, 1],
    U: [Math.floor((yearDay + 7 - weekday) / 7), 2],
    W: [Math.floor((yearDay + 7 - monday) / 7), 2],
    G: [isoYear, 1],
    g: [isoYear % 100, 2],
    V: [isoWeek, 2],
    s: [Math.floor(time.getTime() / 1000), 1],
  };
  const texts: Readonly<Record<string, string>> = {
    a: days[weekday]!.slice(0, 3),
    A: days[weekday]!,
    b: months[month]!.slice(0, 3),
    B: months[month]!,
    h: months[month]!.slice(0, 3),
    p: hour < 12 ? 'AM' : 'PM',
    P: hour < 12 ? 'am' : 'pm',
    n: '\n',
    t: '\t',
    '%': '%',
    Z: '',
    z: '',
  };
  const composed: Readonly<Record<string, string>> = {
    c: '%a %b %e %H:%M:%S %Y',
    D: '%m/%d/%y',
    F: '%Y-%m-%d',
    r: '%I:%M:%S %p',
    R: '%H:%M',
    T: '%H:%M:%S',
    x: '%m/%d/%y',
    X: '%H:%M:%S',
  };
  return format.replace(/%([-_0^#]?)([a-zA-Z%])/g, (all, flag: string, directive: string) => {
    if (composed[directive] !== undefined) return formatTime(time, composed[directive]);
    let text = texts[directive];
    const number = numbers[directive];
    if (number !== undefined) {
      const [value, width, fill = '0'] = number;
      text =
        flag === '-' ? String(value) : String(value).padStart(width, flag === '_' ? ' ' : flag === '0' ? '0' : fill);
    }
    if (text === undefined) return all;
    return flag === '^' ? text.toUpperCase() : text;
  });
}
