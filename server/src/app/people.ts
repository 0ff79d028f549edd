import type { Fact } from '../access/fact.ts'
import { firstAdmin } from '../accounts/first-admin.ts'
import { createPeople } from '../accounts/people.ts'
import { createOrphanedRoles } from '../accounts/orphaned-roles.ts'
import { createRoleDeletion } from '../accounts/role-deletion.ts'
import { createOpenStreams } from '../http/open-streams.ts'
import { createSessionTokens } from '../identify/session-token.ts'
import { createBus } from '../shared/bus.ts'
import type { Ground, Output } from './ground.ts'
import { instanceId } from './instance-id.ts'

/** Milliseconds between two looks at every open stream while other instances cannot be heard. */
const whileDeaf = 1000

export type People = Awaited<ReturnType<typeof openPeople>>

/** Who there is, by what they are known again, and how a change of them is felt at once. */
export async function openPeople(ground: Ground, output: Output) {
  const { clock, random, logs, config, started, roles, store, accounts, secret, audit } = ground
  const bus = createBus<Fact>()
  const publish = (fact: Fact) => bus.publish(fact)
  const openStreams = createOpenStreams({ clock, log: logs.named('service.streams') })
  const people = createPeople({
    store: accounts,
    trusted: () => store.changes.live(),
    publish,
    clock,
    random,
    log: logs.named('service.accounts'),
  })
  // What keeps copies hears first; then every open stream is decided again.
  bus.subscribe((fact) => people.forget(fact))
  bus.subscribe(() => openStreams.decideAllAgain())
  store.changes.subscribe((heard) => publish(heard === 'missed' ? { kind: 'anything' } : (heard.message as Fact)))
  const deaf = setInterval(() => {
    if (!store.changes.live()) openStreams.decideAllAgain()
  }, whileDeaf).unref()

  const deletion = createRoleDeletion({
    store: accounts,
    owner: instanceId(ground.configDir, store.engine, random),
    roles,
    publish,
    clock,
    log: logs.named('service.accounts'),
  })
  await deletion.settle()
  const orphaned = createOrphanedRoles({ store: accounts, roles, audit, log: logs.named('service.accounts') })
  await orphaned.check()
  bus.subscribe((fact) => orphaned.heard(fact))
  await firstAdmin({
    store: accounts,
    settings: started.auth,
    print: (text) => output.write(text),
    publish,
    clock,
    random,
  })
  const { users, sessions } = people
  const tokens = createSessionTokens({ secret, users, sessions, settings: () => config().auth, clock })

  return {
    users,
    sessions,
    tokens,
    deletion,
    openStreams,
    publish,
    /** Ends every open stream, and looks after nobody any more. */
    dismiss() {
      openStreams.stop()
      clearInterval(deaf)
      deletion.stop()
      orphaned.stop()
    },
    stop: () => people.stop(),
  }
}
