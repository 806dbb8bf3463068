// The errors of the services, in JSON or XML, as a typed error.
import * as z from 'zod';
import { AwsError } from '../../api/aws/aws-error.ts';
import { children, readXml, textOf } from '../../api/aws/xml.ts';
import { TrenioError } from '../../base/errors.ts';
import { nearestNames } from '../../base/nearest.ts';
import type { WireAnswer } from './wire.ts';

const json = z.object({
  __type: z.string().optional(),
  message: z.string().optional(),
  Message: z.string().optional(),
});

/** @param text the body of the answer; empty for HEAD */
export function serviceError(
  service: string,
  operation: string,
  { status, headers }: Pick<WireAnswer, 'status' | 'headers'>,
  text: string,
): TrenioError<'SERVICE_REFUSED'> {
  const { code, message } = (text.startsWith('{') ? fromJson(text) : fromXml(text)) ?? {};
  const named = headers['x-amzn-errortype'];
  return new TrenioError('SERVICE_REFUSED', {
    service,
    operation,
    status,
    code: code ?? (typeof named === 'string' ? named : status === 404 ? 'NotFound' : `HTTP ${status}`),
    message:
      message === undefined
        ? text === ''
          ? 'no further information'
          : text.slice(0, 500)
        : withNearestValues(message),
  });
}

/** A longer list of allowed values, such as all instance types, hides the problem: only the nearest ones are shown. */
const longestList = 12;

const withNearestValues = (message: string): string =>
  message.replace(/Value '([^']*)' at [^[]*\[([^\]]+)\]/g, (whole, value: string, list: string) => {
    const known = list.split(', ');
    if (known.length <= longestList) return whole;
    const nearest = nearestNames(value, known).join(', ');
    return whole.replace(`[${list}]`, `[${nearest}, and ${known.length - 3} others]`);
  });

interface Found {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

function fromJson(text: string): Found | undefined {
  try {
    const { __type: type, message, Message } = json.parse(JSON.parse(text));
    // Some services write `namespace#Code`.
    return { code: type?.replace(/.*#/, ''), message: message ?? Message };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

function fromXml(text: string): Found | undefined {
  try {
    const document = readXml(text);
    const [error] = [...children(document, 'Error'), ...children(children(document, 'ErrorResponse')[0], 'Error')];
    return { code: textOf(error, 'Code'), message: textOf(error, 'Message') };
  } catch (error) {
    if (error instanceof AwsError) return undefined;
    throw error;
  }
}
