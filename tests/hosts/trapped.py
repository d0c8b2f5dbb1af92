"""Cases HOST-WHAT, two at a time, each in a repository full of traps: what judges.py and drafts.py share."""
import concurrent.futures, os, subprocess, sys, time

from world import World, missing


def contained(world, requests, expect):
    """Nothing from outside reached the model, nothing of the repository was run, and nothing is left; `expect` takes what is wrong."""
    said = str([r["body"] for r in requests])
    expect("SECRET-OUTSIDE" not in said, "a file from outside the repository reached the model")
    expect("MEMORY-OF-THE-AUTHOR" not in said, "instructions, memories or commits reached the model beside the prompt")
    expect(not world.sprung(), "the repository had something run: %s" % world.sprung())
    expect(not os.listdir(world.tmp), "left in the temporary folder: %s" % os.listdir(world.tmp))
    expect(not world.left_running(), "left running: %s" % world.left_running())
    world.git("status")
    expect(world.sprung(), "the traps are dead: `git status` sprang none, so none of the above is shown")


def one(run, plan, host, what):
    """`run` in a world of its own, and the seconds that it took."""
    start = time.time()
    with World() as world:
        try:
            wrong = run(plan, world, host, what)
        except subprocess.TimeoutExpired as late:
            wrong = [str(late)]
    return wrong, time.time() - start


def main(run, hosts, whats, lacks=lambda host, what: False):
    """Runs every case, or those that the command line names; the exit code."""
    plan, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    cases = [(host, what) for host in hosts if not missing(host) for what in whats if not lacks(host, what)]
    cases = [case for case in cases if not wanted or "%s-%s" % case in wanted]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (host, what), (wrong, seconds) in zip(cases, pool.map(lambda case: one(run, plan, *case), cases)):
            failed += bool(wrong)
            print("%s %s-%s (%.1f s)" % ("FAILED" if wrong else "ok    ", host, what, seconds), flush=True)
            for words in wrong:
                print("    " + words.replace("\n", "\n    "))
    print("%d passed, %d failed" % (len(cases) - failed, failed))
    return 1 if failed or not cases else 0
