import { Type } from 'typebox'
import { nullable } from '../shared/nullable.ts'

export const SuspendedResponse = Type.Enum(['hours', 'not-yet', 'over', 'enrollment-required'], {
  description:
    'Why the role allows nothing now; absent if it does. `hours`: outside its hours; `not-yet`, `over`: before `valid_from`, or from `valid_until`; `enrollment-required`: the role requires a second factor, which the user has yet to set up.',
})

export const HistoryDays = nullable(
  Type.Number(),
  'How many days back the role can see recorded video; null: no limit.',
)
