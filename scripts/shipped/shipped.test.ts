import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readAudit } from './audit-report.ts'
import { npmOnShipped, packagesIn, shippedPackage } from './shipped-packages.ts'

const root = resolve(import.meta.dirname, '../..')

test('an import names its package; a type and an own file do not', () => {
  const text = `import { useState, type ReactNode } from 'react'
import type { Plugin } from 'vite'
import '@mantine/dates/styles.css'
import {
  Button,
} from '@mantine/core'
export { default } from 'dayjs/locale/de'
import { own } from '../own.ts'
const load = () => import('hls.js/light')
@import '@mantine/notifications/styles.css';`
  expect(packagesIn(text).toSorted()).toEqual([
    '@mantine/core',
    '@mantine/dates',
    '@mantine/notifications',
    'dayjs',
    'hls.js',
    'react',
  ])
})

test('the bill of materials lists what the service uses and what is bundled into the web UI, not what only builds it', () => {
  const sbom = JSON.parse(npmOnShipped(root, ['sbom', '--sbom-format=cyclonedx'])) as {
    bomFormat: string
    metadata: { component: { name: string; version: string } }
    components: { name: string; version: string; licenses: unknown[] }[]
  }
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'gatehouse' } } })
  const names = new Set(sbom.components.map(({ name }) => name))
  // `scheduler` is a dependency of React.
  for (const name of [
    'fastify',
    'pg',
    'react',
    'react-dom',
    'scheduler',
    '@mantine/core',
    '@codemirror/view',
    'hls.js',
  ])
    expect(names, name).toContain(name)
  for (const name of ['vite', 'vitest', 'typescript', 'playwright-core', 'lighthouse', 'axe-core'])
    expect(names, name).not.toContain(name)
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object }
  for (const name of Object.keys(dependencies)) expect(names, name).toContain(name)
  for (const name of Object.keys(shippedPackage(root).dependencies)) expect(names, name).toContain(name)
})

const advisory = (name: string, severity: string) => ({
  name,
  severity,
  title: `${name} fails`,
  url: `https://github.com/advisories/${name}`,
})
const reportOf = (...vias: unknown[][]): string =>
  JSON.stringify({ auditReportVersion: 2, vulnerabilities: Object.fromEntries(vias.map((via, at) => [at, { via }])) })

test('a high or critical vulnerability counts once, a lesser or accepted one is only shown', () => {
  const [ws, pg, yaml, jose] = [
    advisory('ws', 'high'),
    advisory('pg', 'moderate'),
    advisory('yaml', 'critical'),
    advisory('jose', 'high'),
  ]
  // An entry that is a name is a package that depends on a vulnerable one.
  const printed = reportOf([ws], ['ws', pg], [ws, yaml], [jose])
  expect(readAudit(printed, new Set([jose.url]))).toEqual({ state: 'checked', severe: [ws, yaml], others: [pg, jose] })
  expect(readAudit(reportOf(), new Set())).toEqual({ state: 'checked', severe: [], others: [] })
})

test.each([
  [
    '{"message":"request to https://registry.npmjs.org failed","error":{}}',
    'request to https://registry.npmjs.org failed',
  ],
  ['', 'npm printed no report'],
  ['<html>', 'npm printed no report'],
])('without a report nothing was checked: %s', (printed, reason) => {
  expect(readAudit(printed, new Set())).toEqual({ state: 'unchecked', reason })
})
