import { expect, test } from 'vitest'
import { validatorFor } from '../../http/validation.ts'
import type { ServiceError } from '../../shared/errors.ts'
import { ConfirmedPairing, PairingCode, ScreenBody } from './screen-schema.ts'

const dim = { from: '22:00', until: '06:30' }
const confirmation = { code: 'x', name: 'hall', cameras: ['yard'], audio: true, layout: { columns: 2, dim } }

test.each<
  [typeof ScreenBody | typeof PairingCode | typeof ConfirmedPairing, sent: object, more: object, field: string]
>([
  [PairingCode, { code: 'x' }, { more: 1 }, 'more'],
  [ConfirmedPairing, confirmation, { more: 1 }, 'more'],
  [ConfirmedPairing, confirmation, { layout: { more: 1 } }, 'layout.more'],
  [ScreenBody, { name: 'hall' }, { more: 1 }, 'more'],
  [ScreenBody, { layout: { dim } }, { layout: { dim: { ...dim, more: 1 } } }, 'layout.dim'],
])('[KEY-6] a body has no other field than those that are known: %#', (schema, sent, more, field) => {
  const validate = validatorFor(schema, 'body')
  expect(validate(sent)).toEqual(sent)
  let problems: readonly { readonly field: string }[] | undefined
  try {
    validate({ ...sent, ...more })
  } catch (error) {
    problems = (error as ServiceError).problems
  }
  expect(problems?.some((problem) => problem.field.startsWith(field))).toBe(true)
})
