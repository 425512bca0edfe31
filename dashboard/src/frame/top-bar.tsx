/** Search, upload, state of the service, account. */
import { UploadButton } from '../uploads/upload-button.tsx'
import { UploadRing } from '../uploads/upload-ring.tsx'
import { AccountMenu } from './account-menu.tsx'
import classes from './frame.module.css'
import { SearchBox } from './search-box.tsx'
import { StatusDot } from './status-dot.tsx'

export function TopBar() {
  return (
    <header className={classes.top}>
      <SearchBox />
      <UploadRing />
      <UploadButton />
      <StatusDot />
      <AccountMenu />
    </header>
  )
}
