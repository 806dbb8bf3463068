// The ranks of a run on several hosts and their addresses, as text: the rendezvous collects them and passes them to each rank.

export interface RankAddress {
  readonly rank: number;
  /** The host's name, only for messages. */
  readonly host: string;
  readonly pid: number;
  readonly address: string;
  readonly port: number;
}

const line = /^(\d{1,9}) ([\w.-]{1,63}) (\d{1,10}) ([\w.:%-]{1,63}) (\d{1,5})$/;

export const formatRankAddress = ({ rank, host, pid, address, port }: RankAddress): string =>
  `${rank} ${host.replaceAll(/[^\w.-]/g, '_').slice(0, 63) || 'host'} ${pid} ${address} ${port}`;

/** Undefined if the line is invalid. */
export function parseRankAddress(text: string): RankAddress | undefined {
  const match = line.exec(text);
  if (match === null) return undefined;
  const [, rank, host, pid, address, port] = match;
  return { rank: Number(rank), host: host!, pid: Number(pid), address: address!, port: Number(port) };
}

/** `rank host process address port; …` in the order of the ranks, without a gap; undefined for any other text. */
export function parseRankTable(text: string): readonly RankAddress[] | undefined {
  const rows = text.split(';').map(row => parseRankAddress(row.trim()));
  return rows.every((row, i): row is RankAddress => row !== undefined && row.rank === i) ? rows : undefined;
}
export const formatRankTable = (table: readonly RankAddress[]): string => table.map(formatRankAddress).join(';');

/** The number of ranks per host, if all hosts have the same number of consecutive ranks; otherwise 0. */
export function ranksPerHost(table: readonly RankAddress[]): number {
  const count = table.filter(({ host }) => host === table[0]?.host).length;
  const isRegular = table.every(({ host }, i) => host === table[i - (i % count)]!.host);
  const hosts = new Set(table.map(({ host }) => host)).size;
  return isRegular && hosts * count === table.length ? count : 0;
}
