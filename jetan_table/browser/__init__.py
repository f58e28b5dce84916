"""A table in a visitor's own browser: the same rules, session and page, in one Python without
threads, processes or a network.
"""
