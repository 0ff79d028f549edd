import { Type, type Static } from 'typebox'
import { nullable } from '../../shared/nullable.ts'

const TimeOfDay = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })

const keys = {
  columns: nullable(Type.Integer({ minimum: 1, maximum: 8 }), 'Columns of the grid; null: as many as fit best.'),
  cameras_per_page: nullable(Type.Integer({ minimum: 1, maximum: 64 }), 'Cameras shown at a time; null: all.'),
  rotate_seconds: Type.Integer({
    minimum: 5,
    maximum: 3600,
    description: 'Seconds until the next page of cameras is shown.',
  }),
  dim: nullable(
    Type.Object({ from: TimeOfDay, until: TimeOfDay }, { additionalProperties: false }),
    "When the screen is dark, by the display's own clock; null: never.",
  ),
}

/** How a screen shows its cameras. */
export const ScreenLayout = Type.Object(keys)
export type ScreenLayout = Static<typeof ScreenLayout>

/** A layout in a request. A key that is left out stays as it is. */
export const LayoutChange = Type.Partial(Type.Object(keys), { additionalProperties: false })
export type LayoutChange = Static<typeof LayoutChange>

export const defaultLayout: ScreenLayout = { columns: null, cameras_per_page: null, rotate_seconds: 15, dim: null }
