import { createSecretBox } from '../auth/secret-box.ts'
import { authorityStore } from '../cluster/inner/authority-store.sql.ts'
import { openInner, type Inner } from '../cluster/inner/inner.ts'
import type { Instances } from '../shared/instances.ts'
import type { Core, Opened } from './core.ts'

/** The connections with other instances; undefined without PostgreSQL or `node.address`. */
export async function openInnerConnections(
  core: Core,
  instances: Instances,
  opened: Opened,
): Promise<Inner | undefined> {
  const { store, started, secret, random, runtime } = core
  if (store.engine !== 'postgres' || started.node.address === null) return undefined
  const inner = await openInner({
    store: authorityStore(store),
    secret,
    box: createSecretBox(secret, 'gatehouse instance authority', random),
    instances,
    ...runtime('service.cluster'),
  })
  opened.defer(() => inner.stop())
  return inner
}
