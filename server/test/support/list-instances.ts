import type { InstanceView } from '../../src/cluster/instances.routes.ts'
import type { Service } from './service.ts'

/** What an instance says about itself and the others. */
export const listInstances = async ({ internal }: Pick<Service, 'internal'>): Promise<InstanceView[]> =>
  (await internal.get('/api/instances')).json as InstanceView[]
