/** A file's path that leads to its entry. */
import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { MiddleCut } from '../../parts/middle-cut.tsx'

export function FileLink({ path }: { path: string }) {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  const address = `/dateien?${new URLSearchParams({ ...(folder && { ordner: folder }), datei: path })}`
  return (
    <Anchor component={Link} href={address} inherit aria-label={path}>
      <MiddleCut>{path}</MiddleCut>
    </Anchor>
  )
}
