import { readFile } from 'node:fs/promises'
import { pairProblem } from './generate-certificate.ts'
import type { KeyPair } from './x509.ts'
import { readFailure } from '../shared/files/read-failure.ts'

export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
}

/** The content of the files, usable or not. */
export interface FilesRead {
  readonly pair: KeyPair
  /** Why the certificate can't be used, with the file name; undefined if it can. */
  readonly problem: string | undefined
}

/** Reads both files of a configured certificate (`tls.cert_file`, `tls.key_file`). */
export async function readConfigured({ certFile, keyFile }: CertificateFiles): Promise<FilesRead> {
  const [cert, key] = await Promise.all([textOf(certFile), textOf(keyFile)])
  const pair = { cert: cert.text, key: key.text }
  if (cert.problem !== undefined) return { pair, problem: `Couldn't read tls.cert_file ${certFile} (${cert.problem}).` }
  if (key.problem !== undefined) return { pair, problem: `Couldn't read tls.key_file ${keyFile} (${key.problem}).` }
  const problem = pairProblem(pair)
  return { pair, problem: problem && messages[problem]({ certFile, keyFile }) }
}

const messages = {
  certificate: ({ certFile }: CertificateFiles) =>
    `tls.cert_file ${certFile} contains no usable certificate chain (PEM)`,
  key: ({ keyFile }: CertificateFiles) => `tls.key_file ${keyFile} contains no private key (PEM, without a passphrase)`,
  mismatch: ({ certFile, keyFile }: CertificateFiles) =>
    `tls.key_file ${keyFile} is not the key of the first certificate in tls.cert_file ${certFile}`,
}

async function textOf(file: string): Promise<{ text: string; problem: string | undefined }> {
  try {
    return { text: await readFile(file, 'utf8'), problem: undefined }
  } catch (error) {
    return { text: '', problem: readFailure(file, error) }
  }
}
