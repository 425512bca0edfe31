/** The image library sharp, configured for untrusted pictures. */
import sharp from 'sharp'

// One picture at a time, and nothing kept for the next.
sharp.cache(false)
sharp.concurrency(1)

// Deny by default: libvips has more readers than we need, and each is an attack surface. SVG is read only
// from memory: from a file, its reader would follow references to other files.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegFile',
    'VipsForeignLoadPngFile',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpFile',
    'VipsForeignLoadNsgifFile',
    'VipsForeignLoadHeifFile',
    'VipsForeignLoadTiffFile',
    'VipsForeignLoadSvgBuffer',
  ],
})

export { sharp }
