/** The functions of custom operators by name: symbols that are there when the program is loaded. */
export type Operators = ReadonlyMap<string, string>;
