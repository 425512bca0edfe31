/** Generated PNG pictures, identical in every run: some like photos, some like drawings or screenshots. */
import sharp from 'sharp'

const CHANNELS = 3
/** How much weaker each finer layer of detail is than the one before it, much as in photographs. */
const FADING = 0.62

/** Pseudo-random numbers from -0.5 to 0.5 (a linear congruential generator). */
function randomNumbers(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32 - 0.5
  }
}

/**
 * Clouds: details of all sizes, down to two pixels. `grain`: the strength of noise that differs from pixel to
 * pixel, as a camera has it in the dark.
 */
export async function landscape(width: number, height: number, grain = 0): Promise<Buffer> {
  const random = randomNumbers()
  let pixels: Uint8Array = new Uint8Array(0)
  let size = { width: 0, height: 0 }
  let strength = 160
  for (let shrink = 2 ** 9; shrink >= 1; shrink /= 2, strength *= FADING) {
    const next = { width: Math.ceil(width / shrink), height: Math.ceil(height / shrink) }
    pixels =
      pixels.length === 0
        ? new Uint8Array(next.width * next.height * CHANNELS).fill(128)
        : await sharp(pixels, { raw: { ...size, channels: CHANNELS } })
            .resize({ ...next, kernel: 'cubic', fit: 'fill' })
            .raw()
            .toBuffer()
    size = next
    const noise = shrink === 1 ? grain : strength
    if (noise > 0)
      pixels = Uint8ClampedArray.from(pixels, byte => byte + noise * random()) as unknown as Uint8Array
  }
  return sharp(pixels, { raw: { ...size, channels: CHANNELS } })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

/** Even areas with sharp edges and thin lines, as in a plan or a screenshot. */
export function drawing(width: number, height: number): Buffer {
  const random = randomNumbers()
  const share = (of: number) => Math.round((random() + 0.5) * of)
  const shapes = Array.from({ length: 1500 }, (_, at) => {
    const [x, y, colour] = [share(width), share(height), `hsl(${share(360)} 70% 50%)`]
    return at % 3 === 0
      ? `<rect x="${x}" y="${y}" width="${share(90)}" height="${share(60)}" fill="${colour}"/>`
      : `<path d="M${x} ${y}l${share(90)} ${share(30)}" stroke="${colour}"/>`
  })
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="white"/>${shapes.join('')}</svg>`,
  )
}
