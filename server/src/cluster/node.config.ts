import { Type } from 'typebox'
import { hostname } from 'node:os'
import { invalidValue } from '../config/schema/describe-constraint.ts'
import { nullableKey, section, type ConfigOf } from '../config/key.ts'
import type { EngineProblem } from '../config/problem-codes.ts'
import type { SectionReport } from '../config/problem-collector.ts'
import { instanceJobs } from '../shared/cluster/instances.ts'

const Label = Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$', allowed: 'label' })

/** What concerns only this machine, of several that share a PostgreSQL database. */
export const NodeConfig = section(
  {
    name: nullableKey(Type.String({ minLength: 1 }), {
      restart: true,
      description: 'Display name of this instance. Default: the hostname.',
      examples: ['cellar'],
    }),
    address: nullableKey(Type.String(), {
      restart: true,
      description:
        'URL at which the other instances reach this one, on whose port it listens for them, with mutual TLS. Without it, this instance shares users and configuration with the others, but pulls every camera itself and shows only its own recordings; without the job `recorder`, it shows none.',
      allowed: 'instance-address',
      examples: ['https://192.0.2.5:7443'],
    }),
    jobs: Type.Array(Type.Enum([...instanceJobs]), {
      default: [...instanceJobs],
      minItems: 1,
      restart: true,
      description:
        '`recorder` pulls cameras and records them; `gate` serves users. Without `gate`, no one can use the API on the port of the gate, except for the health check; without `recorder`, no camera is pulled.',
    }),
    labels: Type.Array(Label, {
      default: [],
      restart: true,
      description: 'Labels of this instance, such as its site. A camera can require labels.',
      examples: [['house']],
    }),
    capacity: nullableKey(Type.Integer({ minimum: 0, maximum: 10_000 }), {
      restart: true,
      description: 'Maximum number of cameras that this instance pulls. Default: no limit.',
      examples: [32],
    }),
    on_database_loss: Type.Enum(['stop', 'keep'], {
      default: 'stop',
      description:
        'What a recorder does while the database is unavailable. `stop`: it stops pulling its cameras before its leases end, and another recorder takes over. If no other recorder has reported in 30 days, it continues as with `keep`. `keep`: it continues recording to its own disk, and adds the recordings to the index afterward; another recorder that reaches the database can record the same camera at the same time.',
    }),
  },
  { title: 'node', machine: true, description: 'This instance, if several share a PostgreSQL database.' },
)

export type NodeConfig = ConfigOf<typeof NodeConfig>

export function checkNode({ address }: NodeConfig, { problem }: SectionReport<EngineProblem>): void {
  if (address === null) return
  const url = URL.parse(address)
  const isAddress =
    url?.protocol === 'https:' && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
  if (!isAddress) problem(['node', 'address'], invalidValue(NodeConfig.properties.address, {}))
}

/** Name under which the instance appears. */
export const nameOfNode = ({ name }: Pick<NodeConfig, 'name'>): string => name ?? hostname()
