// The options of `trenio explain comms`.
export const commsOptions = {
  json: { kind: 'flag', description: 'Print one JSON object instead of the table: {"collectives", "replicated"}.' },
} as const;
