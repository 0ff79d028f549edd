import { createSecretBox } from '../auth/secret-box.ts'
import { createReportedCameras } from '../cameras/remote/reported-cameras.ts'
import type { OtherInstances } from '../cameras/remote/remote-camera.ts'
import { authorityStore } from '../cluster/inner/authority-store.sql.ts'
import { openInner, type Inner } from '../cluster/inner/inner.ts'
import { createPeerMessages, type PeerMessages } from '../cluster/peers/peer-messages.ts'
import type { Core } from './core.ts'
import type { Opened } from './lifecycle.ts'

/** The connections with other instances. */
export interface InnerConnections extends OtherInstances, Pick<Inner, 'serve'> {
  readonly messages: PeerMessages
}

/** undefined without PostgreSQL or `node.address`: then every camera is pulled here. */
export async function openInnerConnections(core: Core, opened: Opened): Promise<InnerConnections | undefined> {
  const { store, started, secret, random, runtime, instances, registry } = core
  if (store.engine !== 'postgres' || started.node.address === null) return undefined
  const inner = opened.add(
    'inner server',
    await openInner({
      store: authorityStore(store),
      secret,
      box: createSecretBox(secret, 'gatehouse instance authority', random),
      instances,
      ...runtime('service.instances'),
    }),
  )
  const messages = opened.add(
    'peer messages',
    createPeerMessages({ instances, client: inner.client, ...runtime('service.instances') }),
  )
  const { client, serve } = inner
  return { client, serve, messages, reports: createReportedCameras(), keyOf: registry.keyOf }
}
