/** The image library sharp, configured for untrusted pictures. */
import sharp from 'sharp'

// A process decodes one picture at a time and keeps nothing of it for the next picture.
sharp.cache(false)
sharp.concurrency(1)

// Deny by default: libvips has more readers than a media host needs, and each reader can be attacked. SVG is
// read only from memory: for a file the SVG reader would follow references to other files beside it.
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
