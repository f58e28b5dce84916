"""What a test waits for in vain is ended, and what was there before goes on."""

import subprocess
import sys
import time
from threading import Timer

from tests.late import end_all_since

SLEEPS = [sys.executable, "-c", "import time; time.sleep(999)"]


def test_a_test_does_not_wait_for_ever() -> None:
    with subprocess.Popen(SLEEPS) as before:
        time.sleep(0.1)
        begun_s = time.clock_gettime(time.CLOCK_BOOTTIME)
        time.sleep(0.1)
        with subprocess.Popen(SLEEPS, stdout=subprocess.PIPE) as waited_for:
            Timer(0.5, end_all_since, (begun_s,)).start()
            waited_for.communicate()
        assert waited_for.returncode < 0
        assert before.poll() is None
        before.kill()
