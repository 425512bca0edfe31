"""Uploads a file with tuspy: arguments are the file, the address, the token and the path."""
import sys
import time

from tusclient import client
from tusclient.exceptions import TusCommunicationError, TusUploadFailed

file, endpoint, token, path = sys.argv[1:5]
tus = client.TusClient(endpoint, headers={"Authorization": f"Bearer {token}"})
uploader = None
for attempt in range(200):
    try:
        url = uploader and uploader.url
        uploader = tus.uploader(file, url=url, chunk_size=64 * 1024 * 1024, metadata={"pfad": path})
        while uploader.offset < uploader.get_file_size():
            uploader.upload_chunk()
        sys.exit(0)
    except (TusCommunicationError, TusUploadFailed, OSError) as error:
        print(error, file=sys.stderr)
        time.sleep(0.5)
sys.exit(1)
