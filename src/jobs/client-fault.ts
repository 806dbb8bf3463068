// A problem with the data or the program of a job that its client has to fix: a `ClientError` in the failure reason.
export class ClientFault extends Error {}
