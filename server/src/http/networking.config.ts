import { isIP } from 'node:net'
import { Type } from 'typebox'
import type { CodedMessage } from '../shared/messages/coded-message.ts'
import { configProblem, type EngineProblems } from '../config/problem-codes.ts'
import { section, type ConfigOf } from '../config/key.ts'
import type { SectionReport } from '../config/problem-collector.ts'
import { wrongText } from '../config/schema/describe-constraint.ts'

const hostNamePattern =
  '^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_\\-]*[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_\\-]*[A-Za-z0-9_])?)*$'
const hostName = new RegExp(hostNamePattern)

const HostName = Type.String({
  pattern: hostNamePattern,
  allowed: 'host-name',
})

const host = (value: string, description: string) =>
  Type.String({ default: value, minLength: 1, restart: true, description, allowed: 'host' })

const port = (value: number, description: string) =>
  Type.Integer({ default: value, minimum: 0, maximum: 65_535, restart: true, description })

export const NetworkingConfig = section(
  {
    gate: section(
      {
        host: host(
          '::',
          'IP address to listen on. `::` is every address, including IPv4; without IPv6, every IPv4 address.',
        ),
        port: port(8971, 'Port of the gate. `0` picks a free port.'),
      },
      { description: 'The gate: the UI and API with sign-in and roles, for users and proxies.' },
    ),
    internal: section(
      {
        host: host(
          '127.0.0.1',
          'IP address to listen on. Every client that reaches this port is an admin: keep it on loopback, or on a network of trusted machines only.',
        ),
        port: port(5000, 'The internal port. `0` picks a free port.'),
        allowed_hosts: Type.Array(HostName, {
          default: [],
          description:
            'Hostnames accepted in requests to the internal port, besides IP addresses, `localhost` and single-label names.',
          examples: [['nvr.lan']],
        }),
      },
      {
        description:
          'The internal port: the same UI and API without sign-in and roles, for trusted programs on this machine.',
      },
    ),
  },
  { title: 'networking', machine: true, description: 'IP addresses and ports.' },
)

export type NetworkingConfig = ConfigOf<typeof NetworkingConfig>

export interface NetworkingConfigProblems {
  'same-port': { readonly port: number }
}

export function checkNetworking(
  { gate, internal }: NetworkingConfig,
  { problem }: SectionReport<CodedMessage<NetworkingConfigProblems & EngineProblems>>,
): void {
  for (const [name, { host }] of Object.entries({ gate, internal })) {
    // Digits and dots alone must be a complete IP address.
    if (isIP(host) === 0 && (!hostName.test(host) || /^[\d.]+$/.test(host))) {
      problem(['networking', name, 'host'], wrongText(host, { allowed: 'host' }))
    }
  }
  if (gate.port === internal.port && gate.port !== 0) {
    problem(['networking', 'internal', 'port'], configProblem('same-port', { port: gate.port }))
  }
}
