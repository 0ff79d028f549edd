import qrCode from 'qrcode-generator'
import classes from './Security.module.css'

/** Modules around the code, as its standard requires. */
const margin = 4

/** Dark on white in every color scheme: not all scanners read an inverted code. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = qrCode(0, 'M')
  code.addData(text)
  code.make()
  const count = code.getModuleCount()
  const all = Array.from({ length: count }, (_, at) => at)
  const dark = all.flatMap((row) =>
    all
      .filter((column) => code.isDark(row, column))
      .map((column) => `M${String(column + margin)} ${String(row + margin)}h1v1h-1z`),
  )
  const size = String(count + 2 * margin)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={classes.qr}
    >
      <rect width={size} height={size} className={classes.light} />
      <path d={dark.join('')} className={classes.dark} />
    </svg>
  )
}
