import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { invalidField, invalidFields, type Problem, type ServiceError } from '../shared/errors.ts'
import { type CodedMessage, fieldProblem } from '../shared/messages/coded-message.ts'
import { compiledValidator } from '../shared/compiled-validator.ts'

/** The ways a field can fail its schema. */
export interface ValidationProblems {
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
  const numbers = part === 'body' ? [] : numbersOf(schema)
  return (value) => {
    const validator = compiledValidator(schema)
    if (part === 'body') {
      if (validator.Check(value)) return value
      throw invalidRequest(validator.Errors(value), part)
    }
    const plain = { ...(value as Record<string, unknown>) }
    const repeated = Object.keys(plain).find((name) => Array.isArray(plain[name]))
    if (repeated !== undefined) throw invalidField(repeated, fieldProblem('repeated'))
    for (const { name, type } of numbers) {
      const sent = plain[name]
      if (typeof sent === 'string' && !numberText[type].test(sent))
        throw invalidField(name, fieldProblem('wrong-type', { type }))
    }
    const read = validator.Default(validator.Convert(plain))
    if (validator.Check(read)) return read
    throw invalidRequest(validator.Errors(read), part)
  }
}

/** What counts as a number in a path or a query. `Convert` would also take `true`, an empty text and `0x10` for one. */
const numberText = { integer: /^-?\d+$/, number: /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i } as const

function numbersOf(schema: TSchema): readonly { readonly name: string; readonly type: 'integer' | 'number' }[] {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, { readonly type?: unknown }>> }
  return Object.entries(properties).flatMap(([name, { type }]) =>
    type === 'integer' || type === 'number' ? [{ name, type }] : [],
  )
}

const invalidRequest = (errors: readonly TLocalizedValidationError[], part: RequestPart): ServiceError =>
  invalidFields(errors.flatMap((error) => problemsOf(error, part)))

function problemsOf(error: TLocalizedValidationError, part: RequestPart): Problem[] {
  const at = error.instancePath
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const fieldOf = (...names: readonly string[]) => names.join('.') || part
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        field: fieldOf(...at, name),
        ...fieldProblem('missing'),
      }))
    // An unknown field. Their list comes as one more error, which TypeBox leaves out after eight of these.
    case 'boolean':
      return [{ field: fieldOf(...at), ...fieldProblem('unknown-field') }]
    case 'additionalProperties':
      return []
    default:
      return [{ field: fieldOf(...at), ...problemFor(error) }]
  }
}

function problemFor(error: TLocalizedValidationError): CodedMessage<ValidationProblems> {
  switch (error.keyword) {
    case 'type':
      return fieldProblem('wrong-type', { type: [error.params.type].flat().join(' ') })
    case 'enum':
      return notOneOf(error.params.allowedValues.map(String))
    case 'const':
      return notOneOf([String(error.params.allowedValue)])
    case 'minLength':
      return fieldProblem('too-short', { min: error.params.limit })
    case 'maxLength':
      return fieldProblem('too-long', { max: error.params.limit })
    case 'minItems':
      return fieldProblem('too-few', { min: error.params.limit })
    case 'maxItems':
      return fieldProblem('too-many', { max: error.params.limit })
    case 'minimum':
      return fieldProblem('too-small', { min: Number(error.params.limit) })
    case 'maximum':
      return fieldProblem('too-large', { max: Number(error.params.limit) })
    case 'pattern':
    case 'format':
      return fieldProblem('invalid-format')
    default:
      return fieldProblem('invalid')
  }
}

const notOneOf = (allowed: readonly string[]) =>
  fieldProblem('not-one-of', { allowed }, { allowed: allowed.join(', ') })
