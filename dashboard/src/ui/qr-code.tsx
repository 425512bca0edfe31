/** A QR code. It is drawn in the browser, so its content is sent to nobody. */
import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'

/** Width of the light margin around the code, in modules (ISO/IEC 18004 §6.3.8). */
const QUIET_ZONE = 4

export function QrCode({ text, label, size = 208 }: { text: string; label: string; size?: number }) {
  const qrCode = generate(text)
  const edgeLength = qrCode.size + 2 * QUIET_ZONE
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${edgeLength} ${edgeLength}`}
      shapeRendering="crispEdges"
    >
      {/* Dark on light in every colour scheme, because some cameras cannot read an inverted code. */}
      <rect x={-QUIET_ZONE} y={-QUIET_ZONE} width={edgeLength} height={edgeLength} fill="#fff" />
      <path d={toSvgPath(qrCode)} fill="#000" />
    </svg>
  )
}
