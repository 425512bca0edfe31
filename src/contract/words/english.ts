/**
 * English sentences for the service's German ones, by code: for the dashboard (which loads this file only if
 * it is shown in English), the pages for visitors, and commands. They leave out values such as paths and
 * sizes; the dashboard shows the values beside the sentence.
 */
export const ENGLISH_SENTENCES: Readonly<Record<string, string>> = {
  // Requests
  'path-invalid': 'The path is not valid.',
  'path-missing': 'The path is missing.',
  'body-empty': 'The file is empty.',
  'body-cut': 'The transfer was interrupted before the file was complete; nothing was stored.',
  'digest-differs': 'The checksum sent with the file does not match its bytes; nothing was stored.',
  'form-expected': 'This address expects a form (multipart/form-data).',
  'form-broken': 'The upload arrived incomplete or damaged.',
  'form-too-complex': 'The upload has too many or too long fields.',
  'file-field-missing': 'The upload contains no file.',
  'file-name-missing': 'The file has no name.',
  'request-malformed': 'The service could not read the request.',
  'chunks-broken': 'The upload arrived damaged; nothing was stored.',
  'request-slow': 'The upload was too slow or came to a halt; nothing was stored.',
  'head-too-large': 'The request has too many or too long headers.',
  'connections-crowded': 'Too many connections are open right now; please try again shortly.',
  'version-unknown': 'Only HTTP/1.1 and HTTP/1.0 are spoken here.',
  'json-broken': 'The service could not read the request.',
  'input-invalid': 'The service does not accept one of these entries.',
  'route-unknown': 'This address does not exist here.',
  'method-unknown': 'This address cannot be used in that way.',
  'method-not-implemented': 'The service does not know the method of this request.',
  'json-too-large': 'The request is too large.',
  'body-encoded': 'The content is compressed; only uncompressed files are accepted here.',
  'precondition-failed': 'The file is no longer the one that was asked for.',
  'range-unsatisfiable': 'The requested part lies outside the file.',

  // Sessions, accounts, tokens, tickets, drop links
  'session-missing': 'Please sign in; the session has ended.',
  'login-wrong': 'The user name or the password is wrong.',
  'login-step-over': 'This sign-in is no longer valid; please start again with the password.',
  'code-wrong': 'The code is wrong, expired or already used.',
  'factor-required': 'This account must have a second factor; please set it up in the dashboard first.',
  'passkey-required': 'This account must have a second factor; please sign in with the passkey.',
  'new-code-wrong':
    'The code does not match; enter the one that the app shows now, and check the clock of the device.',
  'factor-absent': 'This account has no second factor.',
  'factor-present': 'This account already has a second factor; remove it before setting up another one.',
  'factor-not-begun': 'There is no second factor to confirm; please start again.',
  'factor-unreadable':
    'The codes of the app cannot be checked because the key of this instance is missing; use an emergency code, or run fundus user password on the server.',
  'passkey-refused': 'This passkey cannot be used to sign in here.',
  'passkey-unusable': 'This passkey could not be created; please try again.',
  'passkey-absent': 'This passkey does not exist.',
  'passkeys-many': 'This account has too many passkeys.',
  'passkeys-impossible':
    'Passkeys need an address with https and a name instead of an IP address; the setting PUBLIC_URL names another one.',
  'cross-site': 'This request came from another website and was not carried out.',
  'setup-code-wrong':
    'The setup code is wrong; the right one was named by the last start, in the terminal or in the log of the service.',
  'password-wrong': 'The current password is wrong.',
  'read-forbidden': 'This token may not list files.',
  'read-outside-prefix': 'This token may list only what is below its prefix.',
  'drop-absent': 'This link for handing in files does not exist, or no longer.',
  'drop-full': 'No more files are accepted here.',
  'drop-kind-forbidden': 'This kind of file is not accepted here.',
  'drop-file-too-large': 'The file is larger than allowed here.',
  'drops-crowded': 'Too many files are being handed in right now; please try again later.',
  'ticket-invalid': 'This ticket is unknown, used up, expired or withdrawn.',
  'tickets-too-many': 'This token has too many tickets; new ones can be made when some are used or expired.',
  'token-absent': 'This token does not exist.',
  'account-absent': 'This account does not exist.',
  'invitation-invalid': 'This invitation is not valid: it is unknown, expired, revoked or already used.',
  'invitation-absent': 'This invitation does not exist any more.',
  'session-absent': 'This session does not exist, or it has already ended.',
  'setup-done': 'The setup has already been completed; please sign in.',
  'first-account': 'The first account must be an operator.',
  'account-taken': 'An account of this name already exists.',
  'last-account': 'The last operator account can be neither deleted nor lowered.',
  'operator-limited': 'An operator account cannot be limited to folders.',
  'role-forbidden': 'Your account does not have the role that this needs.',
  'folder-forbidden': 'Your account is limited to certain folders, and this is outside of them.',
  'login-locked': 'Signing in is locked for a while after too many failed attempts.',
  'logins-crowded': 'The service is checking too many sign-ins right now; please try again shortly.',
  'streams-crowded': 'This session has too many windows open; please close one.',

  // Sign-in with external providers
  'external-expired':
    'This sign-in has expired, was already used, or was begun in another browser or at another address; please try again.',
  'external-denied': 'The sign-in was cancelled or refused at the provider.',
  'external-invalid':
    'The provider’s answer was refused: its issuer, recipient, nonce, time or signature is wrong. The log of the service says which.',
  'external-unmatched':
    'You are signed in at the provider, but no rule of this service lets your account in.',
  'provider-absent': 'This sign-in is not set up.',
  'account-external': 'This account signs in elsewhere; it has no password and no factors of its own here.',
  'setup-open': 'The service has no account yet; please complete the setup first.',
  'provider-refused': 'The provider refuses this service; please check client id and client secret.',
  'provider-broken': 'The provider sends an answer that this service does not understand.',
  'provider-unreachable': 'The provider does not answer; signing in with a password still works.',
  'provider-busy': 'The provider is overloaded right now; please try again shortly.',

  // Refused uploads with a token
  'token-missing': 'The service does not know this token.',
  'token-expired': 'The token has expired.',
  'prefix-forbidden': 'This token may write only below its prefix.',
  'kind-forbidden': 'This token may not store files of this kind.',
  'token-file-too-large': 'The file is larger than this token allows.',
  'quota-exceeded': 'The quota of this token does not suffice.',

  // Files, picture sizes, folders, trash, backup archives, shares
  'download-too-large': 'There are too many files for one archive; please choose a subfolder.',
  'result-too-large': 'These are too many files at once; please choose a folder.',
  'result-changed': 'Nothing was changed: the list has other files by now. Please check, and try again.',
  'folder-into-itself': 'A folder cannot be moved into itself.',
  'folder-unfit': 'The folder stays where it is: a path in it would become invalid.',
  'expression-invalid': 'The search is not a valid regular expression (RE2).',
  'expression-too-slow':
    'This regular expression takes too long for so many files; please limit it to a folder.',
  'too-many-hits': 'This would affect too many files; please limit the search to a folder.',
  'file-absent': 'There is no file at this address.',
  'folder-absent': 'This folder does not exist.',
  'preview-absent': 'There is no preview of this file.',
  'size-unknown': 'This picture size is not configured.',
  'size-absent': 'This file has no picture sizes: it is neither a picture nor a film with a preview.',
  'picture-damaged': 'This picture cannot be read; it is probably damaged.',
  'picture-undecodable': 'This picture has no sizes: it is too large, or its format cannot be read.',
  'picture-costly':
    'This picture is not available in this size: making it takes too long or too much memory.',
  'sizes-crowded': 'Too many picture sizes are waiting for this address; please try again in a moment.',
  'size-not-ready': 'This picture size is being made; please try again in a moment.',
  'trash-entry-absent': 'This entry is no longer in the trash.',
  'archive-absent': 'This archive is no longer at any location of the backup.',
  'archive-damaged': 'The contents of files of this archive are missing, or it is damaged.',
  'action-absent': 'This action does not exist, or there is nothing of it to undo.',
  'share-too-large': 'This is too much for one ZIP; subfolders can be downloaded one by one.',
  'share-zips-crowded': 'Too many archives are being downloaded right now; please try again later.',
  'share-absent': 'This share does not exist or has been revoked.',
  'path-taken': 'There is already a file at that path; it was not overwritten.',
  'path-repeated': 'The same path occurs more than once; only the first file is stored.',
  'path-shared': 'Several files would get the same path.',
  'changed-since': 'The file has changed since, or is no longer there.',
  'already-there': 'The file is already in this folder.',
  'folders-collide': 'The folder stays where it is: there is already a file at one of the new paths.',
  'replace-conflicts': 'Nothing was renamed, because there are conflicts.',

  // Uploads
  'file-empty': 'The file is empty.',
  'path-list-unequal': 'The list of paths does not fit the files.',
  'zip-broken': 'The archive is damaged or not a ZIP file; nothing of it was stored.',
  'zip-overlapping': 'Entries of the archive share the same content; nothing of it was stored.',
  'entry-broken': 'The entry is damaged: content and checksum do not match.',
  'entry-encrypted': 'The entry is encrypted.',
  'entry-special': 'The entry is a link and not an ordinary file.',
  'entry-of-system': 'The entry was added by the operating system; it is not stored.',
  'entry-method-unknown': 'The entry is packed in a way that cannot be read here.',
  'too-many-files': 'These are too many files at once; none of them was stored.',
  'upload-too-large': 'The file is larger than the service allows (largest upload, in the settings).',
  'zip-too-many-entries': 'The archive has too many entries; nothing of it was stored.',
  'zip-too-large': 'Unpacked, the archive is larger than allowed; nothing of it was stored.',
  'zip-understated': 'The archive contains more than its directory says; nothing of it was stored.',
  'tus-length-invalid': 'The header Upload-Length is missing, or is not a whole number above 0.',
  'tus-offset-invalid': 'The header Upload-Offset is missing, or is not a whole number.',
  'tus-metadata-invalid': 'The header Upload-Metadata is invalid.',
  'tus-checksum-unknown': 'The header Upload-Checksum is invalid; only sha1 and sha256 are understood.',
  'tus-absent': 'This upload does not exist, or no longer; please start over.',
  'tus-offset-differs': 'The header Upload-Offset does not fit what has arrived so far.',
  'tus-expired': 'This upload has expired; please start over.',
  'tus-version-unknown': 'The header Tus-Resumable is missing, or names another version than 1.0.0.',
  'tus-too-long': 'The request has more bytes than the upload still needs.',
  'tus-type-unfit': 'The request needs the Content-Type application/offset+octet-stream.',
  'tus-locked': 'Another request is adding to this upload; please try again shortly.',
  'tus-too-many': 'There are too many unfinished uploads; please finish or cancel one first.',
  'tus-checksum-differs': 'The checksum does not match the bytes sent; they were dropped.',

  // Fetching from an address
  'fetch-address-broken': 'This is not a complete web address.',
  'fetch-scheme': 'Nothing is fetched from there: only http and https are allowed.',
  'fetch-port': 'Nothing is fetched from there: this port is not allowed.',
  'fetch-credentials': 'Nothing is fetched from there: the address contains a user name or a password.',
  'fetch-network': 'Nothing is fetched from there: the address leads into a private network.',
  'source-unresolved': 'The host name of the source cannot be resolved.',
  'source-unreachable': 'The source cannot be reached.',
  'source-untrusted':
    'There is no secure connection to the source: its certificate or encryption is invalid.',
  'source-malformed': 'The source answers with invalid HTTP.',
  'source-status': 'The source answers with an error instead of a file.',
  'source-redirects': 'The source redirects too often.',
  'source-encoded': 'The source sends the file compressed, although it was asked for unchanged.',
  'source-cut': 'The source interrupted the transfer; nothing was stored.',
  'source-empty': 'The source sends an empty file.',
  'source-page': 'The source sends an HTML page instead of the file.',
  'source-too-slow': 'The source answers too slowly; nothing was stored.',

  // The service itself
  'setting-invalid': 'The service does not accept this value.',
  'setting-unknown': 'This setting does not exist.',
  'webhook-missing': 'No address for messages has been entered; please enter one first.',
  'webhook-unsaved': 'Only the saved address is tested; please save it first.',
  'retention-running': 'The retention rules are being run right now; please try again shortly.',
  'clock-doubted':
    'The clock of the machine has jumped, or the machine was off for more than a day. Until the clock is certain (after an hour and the next change to a file, otherwise after a day), nothing goes to the trash by age.',
  'sweep-running': 'Storage and database are being compared right now; please try again shortly.',
  'rows-lost':
    'The database knows no file at all or is out of date, and there are files without a record in the storage; nothing was removed. Run fundus doctor to see whether it is out of date; fundus rebuild records the files that are there.',
  unexpected: 'An unexpected error occurred in the service; its log says more.',
  starting: 'The service is starting; please try again shortly.',
  'database-busy': 'A lot is being changed at once right now; please try again shortly.',
  'database-unflushed':
    'The disk does not write reliably just now, so nothing is stored; please try again shortly.',
  'database-unavailable': 'The database does not answer; please try again shortly.',
  'recorded-too-late':
    'Too much time passed between storing the file and recording it, for instance because the machine was suspended; nothing was stored, please upload it again.',
  'database-uncertain':
    'The database no longer answers; it is not known whether the change was stored. Please check, or repeat it.',
  'storage-damaged':
    'The object store returns this file damaged; please try again later or tell the people who run the service.',
  'storage-unavailable': 'The object store does not answer; please try again shortly.',
  'database-full': 'The disk of the service is full; nothing was changed. Please free some space there.',
  'disk-read-only': "The service's disk is read-only, so nothing is stored.",
  'disk-broken': "The service's disk reports a read or write error.",
  'too-many-open-files': 'The service has too many files and connections open; please try again shortly.',
  'storage-full': 'The service has run out of disk space; nothing was stored.',
  'answer-unexpected': 'The service does not answer as expected right now. Please try again.',

  // Health checks
  'check-too-slow': 'The check did not finish in time.',
  'check-broken': 'The check could not be carried out.',
  'check-database-unflushed':
    'The disk has not kept what the database wrote; until it is safe, nothing is stored.',
  'check-database': 'The database does not answer a query for the files.',
  'check-database-refuses': 'The database accepts no changes.',
  'check-database-busy': 'The database is busy with a large change.',
  'check-disk-refuses': 'Nothing can be written to the data folder and deleted again.',
  'check-store-silent': 'The object store accepts nothing or does not answer.',
  'check-disk-full': 'The disk is full.',
  'check-file-missing': 'A recorded file is missing on the disk.',
  'check-file-differs': 'A recorded file has a different size on the disk.',
  'check-file-unreadable': 'A recorded file cannot be examined on the disk.',
  'check-inventory-lost': 'The database knows no file, although there are files on the disk.',
  'check-changes-lost':
    'The database lacks changes that had been stored; run fundus doctor to see what to do.',
  'check-space-low': 'The disk is almost full.',
  'check-backup-failed': 'The last backup failed.',
  'check-backup-old': 'The last backup is too old.',
  'check-backup-ahead': 'The last backup is dated in the future and does not count; please check the clock.',
  'check-clock-jumped':
    'The clock has jumped by more than a day; until this is settled, nothing is removed because of its age.',
  'check-backup-never': 'There is no backup yet.',
  'check-backup-gone': 'The last archive is no longer at any location.',
  'check-backup-repaired': 'Files in the backup were damaged and have been replaced. Please check the disk.',
  'check-rehearsal-failed': 'The last rehearsed restore failed.',
  'check-one-place': 'The last archive is at one location only.',
  'check-three-places': 'The last archive is at three locations.',
  'check-two-places': 'The last archive is at two locations.',

  // Findings of the integrity check
  'finding-missing': 'The file is missing in the storage.',
  'finding-size': 'The stored file does not have the length that it should have.',
  'finding-content': 'The content of the file has changed: its checksum does not match.',
  'finding-unreadable': 'The file cannot be read.',

  // Warnings
  'target-foreign':
    'The backup target is a Windows path, which this machine does not have: every backup fails.',
  'target-unset':
    'SICHERUNG_ZIEL is not set; with PostgreSQL and an object store every backup fails without a target.',
  'second-target-foreign':
    'The second target is a Windows path, which this machine does not have: every backup fails.',
  'bucket-incomplete': 'The backup bucket lacks its address, name or key: every backup fails there.',
  'oidc-incomplete':
    'For signing in at the provider, the address, the client id, the client secret or a rule is missing: nobody gets in that way.',
  'discord-incomplete':
    'For signing in with Discord, the client id, the client secret, the server or a rule is missing: nobody gets in that way.',
  'files-host-elsewhere':
    'The public address names a different host than the host for files: every address that is handed out answers 404.',
  'backup-beside-files': 'The backup is on the same disk as the files, and no second target is set.',
  'targets-on-one-disk': 'Target and second target are on the same disk.',
  'space-too-small': 'A backup target lacks the space for the next backup, which will not start.',
  'space-runs-out': 'At this rate the space at a backup target will last less than a week.',
  'stock-repaired':
    'Files in the backup were damaged; they were replaced from an intact copy. Please check the disk.',
  'stock-not-thinned':
    'An archive of the backup cannot be read, so the space of contents that are no longer needed is not freed there.',
  'thinning-paused':
    'The database lacks changes that had been stored; until this is settled, no old backups are removed.',
  'target-disks-unknown': 'It is not known whether target and second target are on the same disk.',

  // Failed backups
  'backup-target-foreign':
    'The backup target is a Windows path, which this machine does not have; nothing was written. Please set a path of this machine.',
  'backup-second-foreign':
    'The second target is a Windows path, which this machine does not have; nothing was written. Please set a path of this machine.',
  'backup-target-unset':
    'SICHERUNG_ZIEL is not set. Nothing on this machine is meant to last, so the backup needs a folder elsewhere.',
  'backup-list-without-store':
    'A backup of the list alone needs an object store; here the contents of the files are nowhere else.',
  'backup-target-unusable': 'The service cannot write to the backup target.',
  'backup-second-unusable':
    'The service cannot write to the second target; the archive is at the first target only.',
  'backup-target-full': 'There is not enough space at the backup target.',
  'backup-second-full':
    'There is not enough space at the second target; the archive is at the first target only.',
  'backup-same-folder':
    'Target and second target are the same folder, so the archive is at one location only.',
  'backup-copy-differs':
    'The copy at the second target has a different checksum than the archive and was discarded.',
  'backup-target-silent': 'The backup target does not answer.',
  'backup-second-unmounted':
    'The second target used to be on a disk of its own, which is no longer mounted; the archive is at the first target only.',
  'backup-second-silent': 'The second target does not answer; the archive is at the first target only.',
  'backup-incomplete': 'The archive is incomplete: files are missing in the storage or damaged.',
  'backup-unreadable': 'The archive could not be read back without errors and was discarded.',
  'backup-contents-vanished':
    'Contents disappeared from the backup target during the backup; the archive was discarded.',
  'backup-contents-damaged':
    'Files in the backup are damaged, and no intact copy is left. Archives that name them cannot be restored.',
  'backup-archives-damaged': 'Archives of the backup are damaged.',
  'backup-bucket-unusable': 'The backup bucket cannot be used; the archive is not there.',
  'backup-bucket-incomplete':
    'The backup bucket lacks its address, name or key; nothing was backed up there.',
  'backup-bucket-differs':
    'The backup bucket returns other bytes than it was sent; the archive is not there.',
  'backup-bucket-password':
    'The backup password does not open the key in the bucket; nothing was backed up there.',
  'backup-bucket-encrypted':
    'The backups in the bucket are encrypted, but no backup password is set; nothing was backed up there.',
  'backup-bucket-plain':
    'The bucket has unencrypted backups; with a backup password please choose another prefix.',
  'backup-stopped': 'The backup was aborted because the service was stopped.',
  'backup-lost': 'The backup was aborted because another process has taken it over.',
  'backup-died': 'The last backup was cut short because its process crashed or was stopped.',
  'backup-unexpected': 'The backup failed because of an unexpected error; the log of its process says more.',

  // Failed rehearsals of a restore
  'rehearsal-no-archive': 'There is no archive yet whose restore could be rehearsed.',
  'rehearsal-full': 'There is not enough space to rehearse the restore.',
  'rehearsal-refused':
    'The archive could not be restored; fundus backup --rehearse repeats the rehearsal and names the damaged part.',
  'rehearsal-row-differs':
    'After the rehearsed restore a record differed from the archive; fundus backup --rehearse names it.',
  'rehearsal-content-differs':
    'After the rehearsed restore a file did not have its content; fundus backup --rehearse names it.',
  'rehearsal-running': 'Another process is rehearsing a restore.',
  'rehearsal-stopped': 'The rehearsed restore was aborted.',
  'rehearsal-unexpected':
    'The rehearsed restore failed because of an unexpected error; the log of its process says more.',

  // Answers of the chat webhook
  'webhook-timeout': 'The receiving server did not answer in time.',
  'webhook-unreachable': 'There was no connection to the receiving server.',
  'webhook-internal':
    'The address leads into a private network, which the environment variable WEBHOOK_INTERN=ja has to allow first.',
  'webhook-redirected': 'The receiving server redirects; please enter the final address.',
}
