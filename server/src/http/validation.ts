import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { ServiceError, type Problem } from '../shared/errors.ts'
import type { CodedMessage } from '../shared/coded-message.ts'
import { compiledValidator } from '../shared/compiled-validator.ts'

/** The ways a field can fail its schema. */
export interface Misfits {
  missing: null
  'unknown-field': null
  repeated: null
  'wrong-type': { readonly type: string }
  'not-one-of': { readonly allowed: readonly string[] }
  'too-short': { readonly min: number }
  'too-long': { readonly max: number }
  'too-few': { readonly min: number }
  'too-many': { readonly max: number }
  'too-small': { readonly min: number }
  'too-large': { readonly max: number }
  'invalid-format': null
  invalid: null
}

export type RequestPart = 'params' | 'querystring' | 'body'

/**
 * Validates one part of a request. Path and query values are text and are converted to the schema's types; a body isn't
 * converted.
 *
 * @throws ServiceError `invalid-request`, with the invalid fields, up to eight errors of TypeBox.
 */
export function validatorFor(schema: TSchema, part: RequestPart): (value: unknown) => unknown {
  return (value) => {
    const validator = compiledValidator(schema)
    if (part === 'body') {
      if (validator.Check(value)) return value
      throw misfit(validator.Errors(value), part)
    }
    const plain = { ...(value as Record<string, unknown>) }
    const repeated = Object.keys(plain).find((name) => Array.isArray(plain[name]))
    if (repeated !== undefined) {
      const twice: CodedMessage<Misfits> = { code: 'repeated', message: 'is sent more than once' }
      throw new ServiceError('invalid-request', `${repeated} ${twice.message}.`, {
        problems: [{ field: repeated, ...twice }],
      })
    }
    const read = validator.Default(validator.Convert(plain))
    if (validator.Check(read)) return read
    throw misfit(validator.Errors(read), part)
  }
}

function misfit(errors: readonly TLocalizedValidationError[], part: RequestPart): ServiceError {
  const problems = errors.flatMap((error) => problemsOf(error, part))
  const detail = problems.map(({ field, message }) => `${field} ${message}`).join('; ')
  return new ServiceError('invalid-request', `${detail === '' ? `The ${part} is invalid` : detail}.`, { problems })
}

function problemsOf(error: TLocalizedValidationError, part: RequestPart): Problem[] {
  const at = error.instancePath
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const fieldOf = (...names: readonly string[]) => names.join('.') || part
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ field: fieldOf(...at, name), ...missing }))
    // An unknown field. Their list comes as one more error, which TypeBox leaves out after eight of these.
    case 'boolean':
      return [{ field: fieldOf(...at), ...notKnown }]
    case 'additionalProperties':
      return []
    default:
      return [{ field: fieldOf(...at), ...misfitOf(error) }]
  }
}

const missing: CodedMessage<Misfits> = { code: 'missing', message: 'is missing' }
const notKnown: CodedMessage<Misfits> = { code: 'unknown-field', message: 'is not a known field' }

function misfitOf(error: TLocalizedValidationError): CodedMessage<Misfits> {
  const { message } = error
  switch (error.keyword) {
    case 'type':
      return { code: 'wrong-type', values: { type: [error.params.type].flat().join(' ') }, message }
    case 'enum':
      return { code: 'not-one-of', values: { allowed: error.params.allowedValues.map(String) }, message }
    case 'const':
      return { code: 'not-one-of', values: { allowed: [String(error.params.allowedValue)] }, message }
    case 'minLength':
      return { code: 'too-short', values: { min: error.params.limit }, message }
    case 'maxLength':
      return { code: 'too-long', values: { max: error.params.limit }, message }
    case 'minItems':
      return { code: 'too-few', values: { min: error.params.limit }, message }
    case 'maxItems':
      return { code: 'too-many', values: { max: error.params.limit }, message }
    case 'minimum':
      return { code: 'too-small', values: { min: Number(error.params.limit) }, message }
    case 'maximum':
      return { code: 'too-large', values: { max: Number(error.params.limit) }, message }
    case 'pattern':
    case 'format':
      return { code: 'invalid-format', message }
    default:
      return { code: 'invalid', message }
  }
}
