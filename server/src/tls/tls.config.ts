import { Type } from 'typebox'
import { nullableKey, section, type ConfigOf } from '../config/key.ts'
import type { SectionReport } from '../config/problem-collector.ts'
import type { CodedMessage } from '../shared/messages/coded-message.ts'
import { configProblem } from '../config/problem-codes.ts'

const file = (description: string) =>
  nullableKey(Type.String({ minLength: 1 }), {
    restart: true,
    description,
    allowed: 'file',
  })

export const TlsConfig = section(
  {
    enabled: Type.Boolean({
      default: true,
      restart: true,
      description: 'HTTPS on the gate. `false` serves plain HTTP, for a proxy on the same host that terminates TLS.',
    }),
    cert_file: file(
      'Certificate chain, PEM. Without it, the service creates its own certificate authority and server certificate. The file is read again when it changes.',
    ),
    key_file: file('Private key of the certificate, PEM.'),
  },
  { title: 'tls', machine: true, description: 'TLS encryption of the gate.' },
)

export type TlsConfig = ConfigOf<typeof TlsConfig>

export interface TlsConfigProblems {
  'requires-key': { readonly other: string }
}

export function checkTls(
  { cert_file, key_file }: TlsConfig,
  { problem }: SectionReport<CodedMessage<TlsConfigProblems>>,
): void {
  if ((cert_file === null) === (key_file === null)) return
  const [given, missing] = cert_file === null ? ['key_file', 'cert_file'] : ['cert_file', 'key_file']
  problem(['tls', given], configProblem('requires-key', { other: `tls.${missing}` }))
}
