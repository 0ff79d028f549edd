import { join } from 'node:path'
import { compareCosts, costFigure, usualRounds, type Costed } from './cost.ts'
import type { Bench } from './figure.ts'
import { requestText, startLoader } from './load.ts'
import { startSized, type Size, type SizedService } from './sized.ts'

const many: Size = { users: 1000, tokens: 10, sessions: 5 }
const few: Size = { users: 1, tokens: 1, sessions: 1 }
const max = 1.1

/** Measures requests by API token, and of roles with hours. */
export const tokens: Bench = {
  name: 'tokens',
  async run({ quick, scratch }) {
    const large = await startSized(join(scratch, 'large'), many)
    const small = await startSized(join(scratch, 'small'), few)
    const loader = startLoader()
    const compare = (ours: Costed, peer: Costed) => compareCosts(loader, ours, peer, usualRounds(quick))
    const by = (headers: readonly Headers[], { service: { pid, gatePort: port } } = large): Costed => ({
      pid,
      port,
      requests: headers.map((each) => requestText('GET', '/api/cameras/yard', port, each)),
      status: 200,
    })
    const bearers = large.tokens.map(bearer)
    const eachPerson = large.cookies.filter((_, number) => number % many.sessions === 0)
    try {
      return [
        costFigure(
          'request of a role with hours against one without',
          await compare(by(one(large.cookies)), by(one(large.plain))),
          max,
        ),
        costFigure(
          '1,000 users in turn, each with a role with its own hours, against 1,000 users of one role without',
          await compare(by(eachPerson), by(large.plain)),
          max,
        ),
        costFigure(
          'request by API token (`Bearer`) against one by cookie',
          await compare(by(one(bearers)), by(one(large.cookies))),
          max,
        ),
        costFigure(
          'the same with the token as the password of `Basic`',
          await compare(by([basic(large)]), by(one(large.cookies))),
        ),
        costFigure(
          'one API token, of 10,000 and with 1,000 roles with hours, against the only one',
          await compare(by(one(bearers)), by(small.tokens.map(bearer), small)),
          max,
        ),
        costFigure(
          '10,000 API tokens in turn against 5,000 cookies of the same users in turn',
          await compare(by(bearers), by(large.cookies)),
          max,
        ),
        costFigure('10,000 API tokens in turn against one', await compare(by(bearers), by(one(bearers)))),
      ]
    } finally {
      await Promise.all([large.service.stop(), small.service.stop(), loader.stop()])
    }
  },
}

const one = <T>(all: readonly T[]): readonly T[] => all.slice(0, 1)

type Headers = Readonly<Record<string, string>>

const bearer = (text: string): Headers => ({ authorization: `Bearer ${text}` })
const basic = ({ tokens: [text = ''] }: SizedService): Headers => ({
  authorization: `Basic ${Buffer.from(`:${text}`).toString('base64')}`,
})
