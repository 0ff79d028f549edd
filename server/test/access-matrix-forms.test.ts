import { afterAll, beforeAll, test } from 'vitest'
import { expectAccess, openAccessMatrix, otherForms } from './support/access-matrix.ts'
import { stopAll } from './support/cleanups.ts'

beforeAll(openAccessMatrix)
afterAll(stopAll)

test('[ROLE-4] [ERR-2] every route, by every caller, for every camera, in every other form: as the table says', () =>
  expectAccess(otherForms))
