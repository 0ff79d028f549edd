import { Compile } from 'typebox/compile'
import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { ServiceError, type Problem } from '../shared/errors.ts'

export type RequestPart = 'params' | 'querystring' | 'body'

/**
 * Checks one part of a request. What stands in a path or a query is text and is read as what the schema asks for;
 * a body is taken as it is.
 *
 * @throws ServiceError `invalid`, naming every field that does not fit.
 */
export function validatorFor(schema: TSchema, part: RequestPart): (value: unknown) => unknown {
  const validator = Compile(schema)
  return (value) => {
    if (part === 'body') {
      if (validator.Check(value)) return value
      throw misfit(validator.Errors(value), part)
    }
    const plain = { ...(value as Record<string, unknown>) }
    const repeated = Object.keys(plain).find((name) => Array.isArray(plain[name]))
    if (repeated !== undefined) {
      const message = 'is given more than once'
      throw new ServiceError('invalid', `${repeated} ${message}.`, { problems: [{ field: repeated, message }] })
    }
    const read = validator.Default(validator.Convert(plain))
    if (validator.Check(read)) return read
    throw misfit(validator.Errors(read), part)
  }
}

function misfit(errors: readonly TLocalizedValidationError[], part: RequestPart): ServiceError {
  const problems = errors.flatMap((error) => problemsOf(error, part))
  const detail = problems.map(({ field, message }) => `${field} ${message}`).join('; ')
  return new ServiceError('invalid', `${detail === '' ? `The ${part} does not fit` : detail}.`, { problems })
}

function problemsOf(error: TLocalizedValidationError, part: RequestPart): Problem[] {
  const at = error.instancePath.split('/').slice(1)
  const fieldOf = (...names: readonly string[]) => names.join('.') || part
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ field: fieldOf(...at, name), message: 'is missing' }))
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({
        field: fieldOf(...at, name),
        message: 'is not known here',
      }))
    // Said once already, as the properties that are not known.
    case 'boolean':
      return []
    default:
      return [{ field: fieldOf(...at), message: error.message }]
  }
}
