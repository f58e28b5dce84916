"""The table as things to be made: prints, boards, pages and pictures, from one `Build` of sizes."""
