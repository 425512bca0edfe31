/** The image library sharp, configured for untrusted pictures. */
import sharp from 'sharp'

// A decoder processes one picture at a time, with one thread, and caches nothing for the next one.
sharp.cache(false)
sharp.concurrency(1)

// All readers are denied by default: libvips has more than we need, and each is an attack surface. SVG is
// read only from memory: from a file, its reader would follow references to other files.
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
