import { expect, test } from 'vitest'
import { requestMeta } from '../../test/support/request-meta.ts'
import { testUser } from '../../test/support/test-user.ts'
import type { Caller } from '../http/caller.ts'
import type { Input } from '../http/route.ts'
import type { AuditEntry } from '../shared/audit/audit.ts'
import { ServiceError } from '../shared/errors.ts'
import { testEntry } from '../../test/support/test-entry.ts'
import { fakeAccountStore } from '../../test/support/fake-account-store.ts'
import { databaseOwner } from './user.ts'
import { passwordRoutes, type PasswordRoutesDeps } from './password.routes.ts'

const ann = testUser('ann')
const chosen = 'a password that they chose'

/** A change of ann's password during which an admin resets it. */
async function changed(
  body: object,
  isOwn: boolean,
  isPasswordOf: () => Promise<boolean> = async () => true,
  owner: object | undefined = databaseOwner(ann),
) {
  const entries: AuditEntry[] = []
  const store = fakeAccountStore()
  await store.addUser(ann, testEntry, 0)
  let published = 0
  const deps = {
    store,
    signIn: {
      isPasswordOf,
      async hash() {
        await store.setPassword(ann.id, { hash: 'reset', at: 1, origin: 'given' }, testEntry)
        return 'own'
      },
    },
    publish: () => void (published += 1),
    blockOf: () => null,
    audit: { record: (entry: AuditEntry) => void entries.push(entry) },
    clock: { now: () => 2 },
  } as unknown as PasswordRoutesDeps
  const handle = passwordRoutes(deps)[0]!.handle!
  const client = { address: '192.0.2.7' }
  const by = { identity: { kind: 'unauthenticated' }, client, meta: requestMeta({}), owner, isOwn }
  const caller = { ...by, authorizeAgain: async () => undefined } as unknown as Caller
  const input = { params: { username: 'ann' }, body: { password: chosen, ...body } } as unknown as Input<never>
  const result = (handle(input, caller) as Promise<unknown>).then(
    () => 'changed',
    ({ code, reason }: { code: string; reason: string }) => `${code} ${reason}`,
  )
  return [await result, (await store.userByKey('ann'))?.passwordHash, published, entries]
}

test('[USER-5] [TOK-7] users who change their own password do not undo a reset at the same time', async () => {
  expect(await changed({ old_password: 'the old password' }, true)).toEqual([
    'conflict password-changed',
    'reset',
    0,
    [],
  ])
})

test('[ROLE-10] a password is set for the user for whom that was allowed, not for a later one with the name', async () => {
  const later = databaseOwner(testUser('ann', { id: 'another' }))
  expect(await changed({}, false, undefined, later)).toEqual(['not-found no-such-user', ann.passwordHash, 0, []])
})

test('[USER-5] of two resets, the later one counts', async () => {
  expect(await changed({}, false)).toEqual(['changed', 'own', 1, []])
})

test.each<[string, () => Promise<boolean>, string, object]>([
  [
    'a wrong old password',
    async () => false,
    'wrong-password undefined',
    { result: 'failure', detail: 'wrong-password' },
  ],
  [
    'too many of them',
    () => Promise.reject(new ServiceError('too-many-attempts')),
    'too-many-attempts undefined',
    { result: 'denied', detail: 'too-many-attempts' },
  ],
])('[USER-5] [AUD-2] %s changes nothing and is recorded', async (_what, isPasswordOf, problem, entry) => {
  const recorded = expect.objectContaining({ action: 'user.password', target: 'ann', ...entry }) as object
  expect(await changed({ old_password: 'the old password' }, true, isPasswordOf)).toEqual([
    problem,
    ann.passwordHash,
    0,
    [recorded],
  ])
})
