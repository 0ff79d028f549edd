import type { InstanceResponse } from '../../src/cluster/instances.routes.ts'
import type { Service } from './service.ts'

/** What an instance says about itself and the others. */
export const listInstances = async ({ internal }: Pick<Service, 'internal'>): Promise<InstanceResponse[]> =>
  (await internal.get('/api/instances')).json as InstanceResponse[]
